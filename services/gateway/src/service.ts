import { fileURLToPath } from 'node:url'
import { createDocs } from '@kyc/docs-site'
import type { Service, ServiceDeps, ServiceSchema } from '@kyc/host'
import { createIdentitySigner, openApiDocument } from '@kyc/http'
import { prismaTransactions, readiness } from '@kyc/runtime'
import { PrismaPg } from '@prisma/adapter-pg'
import type { GatewayConfig } from './config.ts'
import { createClientAddress } from './domain/client-address.ts'
import { createHostRule } from './domain/host-rule.ts'
import { createRouteTable } from './domain/route-table.ts'
import { createForwardingWatch } from './http/forwarding-watch.ts'
import { createGateway } from './http/gateway.ts'
import { createIdentities } from './http/identities.ts'
import { createLimitedPage } from './http/limited-page.ts'
import { createLimits } from './http/limits.ts'
import { securityHeaders } from './http/security-headers.ts'
import { respond } from './messages/respond.ts'
import { apiKeyStore } from './store/api-keys.ts'
import { PrismaClient } from './store/generated/client.ts'
import { createKeyCache } from './store/key-cache.ts'
import { createLinkCache } from './store/link-cache.ts'

export { type GatewayConfig, gatewaySettings, type Upstreams } from './config.ts'

export const gatewaySchema: ServiceSchema = {
  schema: 'gateway',
  migrations: fileURLToPath(new URL('../prisma/migrations', import.meta.url)),
}

/** API keys, rate limits and routing: the single entry point to all other services. */
export async function gatewayService(
  deps: Omit<ServiceDeps, 'vault' | 'models'>,
  config: GatewayConfig,
): Promise<Service> {
  const { database, clock, logger, metrics, bus } = deps
  const prisma = new PrismaClient({
    adapter: new PrismaPg(database.pool, { schema: database.schema }),
    transactionOptions: prismaTransactions,
  })
  const keys = createKeyCache({ database, clock, logger })
  const limits = createLimits({
    redisUrl: config.REDIS_URL,
    perKey: config.RATE_LIMIT_PER_MINUTE,
    perKeyImages: config.RATE_LIMIT_IMAGE_CHECKS_PER_MINUTE,
    logger,
  })
  const gateway = createGateway({
    upstreams: config.upstreams,
    upstreamTimeoutMs: config.UPSTREAM_TIMEOUT_SECONDS * 1000,
    maxWaiting: config.UPSTREAM_MAX_WAITING,
    routeOf: createRouteTable(),
    isServedOn: createHostRule({
      publicUrl: deps.publicUrl,
      flowUrl: config.FLOW_URL,
      consoleUrl: config.CONSOLE_URL,
    }),
    clientAddress: createClientAddress(config.TRUSTED_PROXIES),
    noteForwarding: createForwardingWatch({ clock, logger, metrics }),
    identityOf: createIdentities(await createIdentitySigner(config.INTERNAL_IDENTITY_PRIVATE_KEY, clock)),
    keys,
    links: createLinkCache(bus),
    limits,
    limitedPage: createLimitedPage(config.upstreams.flow),
    logger,
    metrics,
    secure: securityHeaders(deps.publicUrl),
    docs: createDocs(),
    openApi: openApiDocument({ version: '1.0.0', serverUrl: deps.publicUrl }),
  })
  respond(bus, apiKeyStore(prisma), clock)

  const probes = [
    {
      name: 'database',
      check: async () => {
        await database.query('SELECT 1')
      },
    },
  ]
  return {
    name: 'gateway',
    app: gateway.listener,
    ready: () => readiness(probes),
    start: () => keys.start(),
    stop: async () => {
      await keys.stop()
      await gateway.close()
      await limits.close()
    },
  }
}

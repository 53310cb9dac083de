import { createApiKey, findFlowLinks } from '@kyc/common'
import { generateIdentityKeys, startServer } from '@kyc/http'
import { newId, silentLogger } from '@kyc/runtime'
import { gatewaySchema, gatewayService, type Upstreams } from '@kyc/service-gateway'
import { startService } from '@kyc/testing'

export const upstreamNames = [
  'session',
  'checks',
  'face-biometrics',
  'sanctions-screening',
  'webhook-dispatcher',
  'flow',
  'console',
] as const satisfies (keyof Upstreams)[]
export type UpstreamName = (typeof upstreamNames)[number]

/**
 * The gateway as its process runs it, in front of services that a test provides, and a key with a practically
 * unlimited rate.
 */
export async function startGatewayAlone(
  upstreams: Upstreams,
  options: {
    maxWaiting?: number
    timeoutSeconds?: number
    patience?: Parameters<typeof startServer>[1]['patience']
  } = {},
) {
  const identityKeys = await generateIdentityKeys()
  const config = {
    INTERNAL_IDENTITY_PRIVATE_KEY: identityKeys.privateKey,
    REDIS_URL: undefined,
    RATE_LIMIT_PER_MINUTE: 1_000_000,
    RATE_LIMIT_IMAGE_CHECKS_PER_MINUTE: 1_000_000,
    TRUSTED_PROXIES: [],
    FLOW_URL: undefined,
    CONSOLE_URL: undefined,
    UPSTREAM_TIMEOUT_SECONDS: options.timeoutSeconds ?? 30,
    UPSTREAM_MAX_WAITING: options.maxWaiting ?? 128,
    upstreams,
  }
  const harness = await startService('gateway', gatewaySchema, (deps) => gatewayService(deps, config), {
    // Every flow token exists, so that the requests of a suite reach the upstream instead of the limit on guesses.
    before: (bus) => bus.respond(findFlowLinks, async ({ token_sha256 }) => ({ known: token_sha256 })),
  })
  const newKey = async () => {
    const made = await harness.bus.request(createApiKey, {
      app_id: newId('app'),
      environment: 'test',
      name: 'a key',
      expires_at: null,
      rate_limit_per_minute: null,
    })
    return made.key
  }
  const server = await startServer(harness.service.app, {
    port: 0,
    host: '127.0.0.1',
    logger: silentLogger,
    ...(options.patience ? { patience: options.patience } : {}),
  })
  return {
    port: server.port,
    url: server.url,
    harness,
    identityKeys,
    key: await newKey(),
    newKey,
    connections: (done: (count: number) => void) => server.server.getConnections((_, count) => done(count)),
    stop: () => server.stop(),
    close: async () => {
      server.server.closeAllConnections()
      await server.stop()
      await harness.close()
    },
  }
}
export type GatewayAlone = Awaited<ReturnType<typeof startGatewayAlone>>

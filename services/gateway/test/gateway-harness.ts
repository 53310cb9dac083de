import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { ServiceDeps } from '@kyc/host'
import { generateIdentityKeys } from '@kyc/http'
import { type ServiceHarness, startService } from '@kyc/testing'
import type { GatewayConfig, Upstreams } from '../src/config.ts'
import { gatewaySchema, gatewayService } from '../src/service.ts'

/** Starts the gateway in front of one server that acts as every service. */
export async function startGateway(
  upstream: RequestListener,
  options: {
    config?: Partial<GatewayConfig>
    before?: NonNullable<Parameters<typeof startService>[3]>['before']
    change?: (deps: ServiceDeps) => ServiceDeps
  } = {},
): Promise<ServiceHarness> {
  const server = createServer(upstream)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const upstreams: Upstreams = {
    session: url,
    checks: url,
    'face-biometrics': url,
    'sanctions-screening': url,
    'webhook-dispatcher': url,
    flow: url,
    console: url,
  }
  const keys = await generateIdentityKeys()
  const config: GatewayConfig = {
    INTERNAL_IDENTITY_PRIVATE_KEY: keys.privateKey,
    REDIS_URL: undefined,
    RATE_LIMIT_PER_MINUTE: 100_000,
    RATE_LIMIT_IMAGE_CHECKS_PER_MINUTE: 60,
    TRUSTED_PROXIES: [],
    FLOW_URL: undefined,
    CONSOLE_URL: undefined,
    UPSTREAM_TIMEOUT_SECONDS: 5,
    UPSTREAM_MAX_WAITING: 128,
    upstreams,
    ...options.config,
  }
  const harness = await startService(
    'gateway',
    gatewaySchema,
    (deps) => gatewayService(options.change?.(deps) ?? deps, config),
    options.before ? { before: options.before } : {},
  )
  return {
    ...harness,
    close: async () => {
      await harness.close()
      server.closeAllConnections()
      server.close()
    },
  }
}

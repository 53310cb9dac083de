import { commonConfig, integer, loadConfig } from '@kyc/runtime'
import { z } from 'zod'
import { parseTrustedProxies } from './domain/client-address.ts'

const upstream = z.url({ protocol: /^http$/ })

const trustedProxies = z.string().transform((value, context) => {
  try {
    return parseTrustedProxies(value)
  } catch (error) {
    context.addIssue({ code: 'custom', message: error instanceof Error ? error.message : String(error) })
    return z.NEVER
  }
})

/** The settings of the gateway itself, both as a separate process and as part of the standalone process. */
export const gatewaySettings = z.object({
  /** When set, limits apply across all replicas; otherwise each replica counts separately. */
  REDIS_URL: z.url().optional(),
  RATE_LIMIT_PER_MINUTE: integer(1, 1_000_000).default(300),
  RATE_LIMIT_IMAGE_CHECKS_PER_MINUTE: integer(1, 1_000_000).default(60),
  /**
   * Addresses and CIDR blocks of the proxies whose `x-forwarded-for` is trusted, or `none` to use the peer's address.
   */
  TRUSTED_PROXIES: trustedProxies.default([]),
  /** If the hosted flow or the console has a separate host name, it is served on that host only. */
  FLOW_URL: z.url().optional(),
  CONSOLE_URL: z.url().optional(),
  /** If a service has not responded by then, the gateway responds with 503. */
  UPSTREAM_TIMEOUT_SECONDS: integer(1, 300).default(30),
  /** Requests of this replica that may wait for one service; further requests get 503 immediately. */
  UPSTREAM_MAX_WAITING: integer(1, 10_000).default(128),
})

const schema = z.object({
  ...commonConfig,
  ...gatewaySettings.shape,
  /** `production` in every image. */
  NODE_ENV: z.string().optional(),
  TRUSTED_PROXIES: trustedProxies.optional(),
  /** The key that signs internal identities (JWK, JSON). Only the gateway has it. No default. */
  INTERNAL_IDENTITY_PRIVATE_KEY: z.string(),
  SESSION_URL: upstream,
  CHECKS_URL: upstream,
  FACE_BIOMETRICS_URL: upstream,
  SANCTIONS_SCREENING_URL: upstream,
  WEBHOOK_DISPATCHER_URL: upstream,
  FLOW_SERVICE_URL: upstream,
  CONSOLE_SERVICE_URL: upstream,
})

export type GatewayConfig = z.output<typeof gatewaySettings> & {
  INTERNAL_IDENTITY_PRIVATE_KEY: string
  upstreams: Upstreams
}

/** The address of each service. */
export type Upstreams = Record<
  | 'session'
  | 'checks'
  | 'face-biometrics'
  | 'sanctions-screening'
  | 'webhook-dispatcher'
  | 'flow'
  | 'console',
  string
>

/**
 * In production only the operator knows which peers are proxies, and a wrong guess makes all people share one client
 * address.
 */
const production = schema.refine(
  ({ NODE_ENV, TRUSTED_PROXIES }) => NODE_ENV !== 'production' || TRUSTED_PROXIES !== undefined,
  {
    path: ['TRUSTED_PROXIES'],
    message:
      'must be set in production: the addresses or CIDR blocks of the proxies in front of the gateway, or none where clients connect directly',
  },
)

/** `variables` default to the process's environment; tests pass others. */
export const readConfig = (variables?: Record<string, string | undefined>) => {
  const environment = loadConfig(production, variables)
  return {
    ...environment,
    TRUSTED_PROXIES: environment.TRUSTED_PROXIES ?? [],
    upstreams: {
      session: environment.SESSION_URL,
      checks: environment.CHECKS_URL,
      'face-biometrics': environment.FACE_BIOMETRICS_URL,
      'sanctions-screening': environment.SANCTIONS_SCREENING_URL,
      'webhook-dispatcher': environment.WEBHOOK_DISPATCHER_URL,
      flow: environment.FLOW_SERVICE_URL,
      console: environment.CONSOLE_SERVICE_URL,
    },
  }
}

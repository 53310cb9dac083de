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

/** What the gateway itself reads, in a process of its own and beside the others alike. */
export const gatewaySettings = z.object({
  /** Limits hold over all replicas when given; each replica counts for itself otherwise. */
  REDIS_URL: z.url().optional(),
  RATE_LIMIT_PER_MINUTE: integer(1, 1_000_000).default(300),
  RATE_LIMIT_IMAGE_CHECKS_PER_MINUTE: integer(1, 1_000_000).default(60),
  /** Addresses and CIDR blocks of the proxies whose `x-forwarded-for` is trusted, or `none`: the peer's address counts. */
  TRUSTED_PROXIES: trustedProxies.default([]),
  /** Where the hosted flow and the console have host names of their own, each is served there and nowhere else. */
  FLOW_URL: z.url().optional(),
  CONSOLE_URL: z.url().optional(),
  /** A service that has not answered by then is answered for: 503. */
  UPSTREAM_TIMEOUT_SECONDS: integer(1, 300).default(30),
  /** Requests of this replica that may wait for one service; those beyond are answered 503 at once. */
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

/** Where each service listens. */
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

/** In production nobody but the operator can say which peers are proxies, and a wrong guess makes all people one client. */
const production = schema.refine(
  ({ NODE_ENV, TRUSTED_PROXIES }) => NODE_ENV !== 'production' || TRUSTED_PROXIES !== undefined,
  {
    path: ['TRUSTED_PROXIES'],
    message:
      'must be set in production: the addresses or CIDR blocks of the proxies in front of the gateway, or none where clients connect directly',
  },
)

/** `variables` are the process's own unless a test gives others. */
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

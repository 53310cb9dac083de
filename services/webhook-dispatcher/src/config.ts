import { commonConfig, flag, integer, list, loadConfig, vaultConfig } from '@kyc/runtime'
import { z } from 'zod'
import { standardDelaysSeconds } from './domain/retry-schedule.ts'

const seconds = z
  .array(integer(1, 7 * 86_400))
  .min(1)
  .max(30)

/** Settings that only the dispatcher reads. Every default is the value in the interface specification. */
export const dispatcherConfig = {
  /** Delays before attempts 2, 3, ...: seconds after the end of the previous attempt, comma-separated. */
  WEBHOOK_RETRY_DELAYS_SECONDS: z
    .string()
    .default(standardDelaysSeconds.join(','))
    .transform((text) => text.split(',').map((part) => part.trim()))
    .pipe(seconds),
  /** Maximum random jitter, as a percentage of the delay. Only added, never subtracted. */
  WEBHOOK_JITTER_PERCENT: integer(0, 100).default(2),
  /** Timeout of a whole attempt: DNS lookup, connection, TLS, request and response. */
  WEBHOOK_TIMEOUT_MS: integer(100, 60_000).default(10_000),
  /** Maximum concurrent attempts per process. */
  WEBHOOK_CONCURRENCY: integer(1, 5_000).default(256),
  /** Maximum concurrent attempts per process to one app's receiver. */
  WEBHOOK_CONCURRENCY_PER_APP: integer(1, 1_000).default(16),
  /** How long a delivered or failed delivery stays listed. */
  WEBHOOK_DELIVERY_RETENTION_DAYS: integer(1, 3_650).default(90),
  /** Development mode: allows receivers on this machine and in private networks. Metadata addresses stay blocked. */
  ALLOW_PRIVATE_WEBHOOKS: flag(false),
  /** Addresses and CIDR blocks of this system itself (load balancers), which webhooks are never sent to. */
  WEBHOOK_OWN_ADDRESSES: list,
} as const

export const dispatcherSettings = z.object(dispatcherConfig)
export type WebhookDispatcherConfig = z.output<typeof dispatcherSettings>

/** Configuration for running the dispatcher as a separate process. */
export const readConfig = () => loadConfig(z.object({ ...commonConfig, ...vaultConfig, ...dispatcherConfig }))

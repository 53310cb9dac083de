import { commonConfig, flag, integer, list, loadConfig, vaultConfig } from '@kyc/runtime'
import { z } from 'zod'
import { standardDelaysSeconds } from './domain/retry-schedule.ts'

const seconds = z
  .array(integer(1, 7 * 86_400))
  .min(1)
  .max(30)

/** What the dispatcher itself reads; every value has its default from the interface specification. */
export const dispatcherConfig = {
  /** Before attempts 2, 3, ...: seconds after the previous attempt, comma-separated. */
  WEBHOOK_RETRY_DELAYS_SECONDS: z
    .string()
    .default(standardDelaysSeconds.join(','))
    .transform((text) => text.split(',').map((part) => part.trim()))
    .pipe(seconds),
  /** At most this percentage of a delay is added to it at random. Never subtracted. */
  WEBHOOK_JITTER_PERCENT: integer(0, 100).default(2),
  /** For a whole attempt: look-up, connection, TLS, request and response. */
  WEBHOOK_TIMEOUT_MS: integer(100, 60_000).default(10_000),
  /** Attempts under way at once in one process. */
  WEBHOOK_CONCURRENCY: integer(1, 5_000).default(256),
  /** Of those, to one app's receiver. */
  WEBHOOK_CONCURRENCY_PER_APP: integer(1, 1_000).default(16),
  /** How long a delivered or failed delivery stays listed. */
  WEBHOOK_DELIVERY_RETENTION_DAYS: integer(1, 3_650).default(90),
  /** Development mode: receivers on this machine and in private networks. Metadata addresses stay refused. */
  ALLOW_PRIVATE_WEBHOOKS: flag(false),
  /** Addresses and CIDR blocks by which this system is reached (load balancers), never sent to. */
  WEBHOOK_OWN_ADDRESSES: list,
} as const

export const dispatcherSettings = z.object(dispatcherConfig)
export type WebhookDispatcherConfig = z.output<typeof dispatcherSettings>

/** The dispatcher as a process of its own. */
export const readConfig = () => loadConfig(z.object({ ...commonConfig, ...vaultConfig, ...dispatcherConfig }))

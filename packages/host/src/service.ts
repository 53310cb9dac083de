import type { RequestListener } from 'node:http'
import type { Bus } from '@kyc/bus'
import type { ServiceName } from '@kyc/common'
import type { IdentityVerifier } from '@kyc/http'
import type { Clock, Logger, Metrics, ModelStore, PooledDatabase } from '@kyc/runtime'
import type { Vault } from '@kyc/vault'

/** The dependencies of a service, the same in a separate process and in the standalone process. */
export type ServiceDeps = {
  logger: Logger
  metrics: Metrics
  clock: Clock
  /** The service's own schema, already migrated. */
  database: PooledDatabase
  bus: Bus
  /** Accepts identities signed by the gateway for this service. */
  verifyIdentity: IdentityVerifier
  vault: Vault
  models: ModelStore
  /** Base URL of public links, without a trailing slash. */
  publicUrl: string
}

/**
 * A running service. Its front door (`sessionService(deps)`) registers subscriptions and responders; `start` starts its
 * background work (relay, jobs) after the bus has started; `stop` ends it before the bus closes.
 */
export type Service = {
  name: ServiceName
  app: RequestListener
  /** Whether the service is ready. Exposed on the metrics port, never publicly. */
  ready(): Promise<{ ready: boolean; failing: string[] }>
  start(): Promise<void>
  stop(): Promise<void>
}

/** The schema and the migrations of a service. */
export type ServiceSchema = { schema: string; migrations: string }

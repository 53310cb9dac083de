import type { RequestListener } from 'node:http'
import type { Bus } from '@kyc/bus'
import type { ServiceName } from '@kyc/common'
import type { IdentityVerifier } from '@kyc/http'
import type { Clock, Logger, Metrics, ModelStore, PooledDatabase } from '@kyc/runtime'
import type { Vault } from '@kyc/vault'

/** What a service is given, in a process of its own and beside the others alike. */
export type ServiceDeps = {
  logger: Logger
  metrics: Metrics
  clock: Clock
  /** The service's own schema, migrated. */
  database: PooledDatabase
  bus: Bus
  /** Accepts identities signed by the gateway for this service. */
  verifyIdentity: IdentityVerifier
  vault: Vault
  models: ModelStore
  /** Base of the links people and clients see, without a slash at the end. */
  publicUrl: string
}

/**
 * A running part of the system. Its front door (`sessionService(deps)`) registers subscriptions and responders;
 * `start` begins what works by itself (relay, jobs), after the bus is up; `stop` ends that, before the bus closes.
 */
export type Service = {
  name: ServiceName
  app: RequestListener
  /** Whether it can do its work now. Told on the metrics port, never on the public side. */
  ready(): Promise<{ ready: boolean; failing: string[] }>
  start(): Promise<void>
  stop(): Promise<void>
}

/** Where a service keeps its tables. */
export type ServiceSchema = { schema: string; migrations: string }

import { type Decision, decision as decisionSchema, type Environment, sealContexts } from '@kyc/common'
import type { OutboundClient, SendOutcome } from '@kyc/outbound'
import type { Clock, Logger } from '@kyc/runtime'
import { type Vault, VaultError, VaultKeyDestroyedError } from '@kyc/vault'
import { succeeded, toAttempt } from '../domain/attempt.ts'
import { ended, returned, undeliverable } from '../domain/delivery.ts'
import { buildBody } from '../domain/delivery-body.ts'
import { requestHeaders } from '../domain/request-headers.ts'
import type { RetrySchedule } from '../domain/retry-schedule.ts'
import type { Lease } from '../store/leases.ts'
import type { Settlement } from '../store/settle.ts'
import type { OpenedSecrets } from './opened-secrets.ts'

export type AttemptParts = {
  vault: Pick<Vault, 'open'>
  secrets: Pick<OpenedSecrets, 'of'>
  /**
   * One client per environment, because a test app may reach private addresses in development and a live app never
   * may.
   */
  outbound: Record<Environment, Pick<OutboundClient, 'send'>>
  clock: Clock
  logger: Logger
  schedule: RetrySchedule
  timeoutMs: number
  userAgent: string
  random: () => number
}

/** `outcome` is null if nothing was sent. */
export type AttemptResult = { settlement: Settlement; outcome: SendOutcome | null }

/** Interface, section 6.4. */
const excerptBytes = 256
/** How long a delivery waits while the vault is unavailable. This is not the receiver's fault and not an attempt. */
const vaultRetryMs = 30_000

/** Makes one attempt of a leased delivery and returns its outcome. Never throws. */
export async function attemptDelivery(parts: AttemptParts, lease: Lease): Promise<AttemptResult> {
  const { clock, logger } = parts
  const { stage, destination } = lease
  const at = clock.now()
  const unsent = (next: Settlement['stage']): AttemptResult => ({
    settlement: {
      delivery_id: lease.event.delivery_id,
      lease_id: lease.lease_id,
      stage: next,
      attempt: null,
      now: clock.now(),
    },
    outcome: null,
  })
  if (destination === null) return unsent(undeliverable(stage))

  let request: { headers: Record<string, string>; body: Buffer }
  try {
    request = await signedRequest(parts, lease, destination.sealed_secret)
  } catch (error) {
    logger.error('a delivery could not be prepared', { delivery_id: lease.event.delivery_id, error })
    const damaged = error instanceof VaultError && error.code === 'integrity'
    return unsent(
      damaged ? undeliverable(stage) : returned(stage, new Date(clock.now().getTime() + vaultRetryMs)),
    )
  }
  const outcome = await parts.outbound[destination.environment].send({
    ...request,
    url: destination.url,
    timeoutMs: parts.timeoutMs,
    maxBodyBytes: excerptBytes,
  })
  const now = clock.now()
  return {
    settlement: {
      delivery_id: lease.event.delivery_id,
      lease_id: lease.lease_id,
      stage: ended(stage, succeeded(outcome), now, parts.schedule, parts.random),
      attempt: { ...toAttempt(outcome), number: stage.attempt, at },
      now,
    },
    outcome,
  }
}

async function signedRequest(parts: AttemptParts, lease: Lease, sealedSecret: Buffer) {
  const [decision, secret] = await Promise.all([
    openDecision(parts.vault, lease),
    parts.secrets.of(lease.app_id, sealedSecret),
  ])
  const body = buildBody(lease.event, decision)
  const { userAgent, clock } = parts
  return { body, headers: requestHeaders({ event: lease.event, body, secret, now: clock.now(), userAgent }) }
}

/** Null for an intermediate status, and for a session whose data key was destroyed by a purge. */
export async function openDecision(
  vault: Pick<Vault, 'open'>,
  { app_id, event, sealed_decision }: Pick<Lease, 'app_id' | 'event' | 'sealed_decision'>,
): Promise<Decision | null> {
  if (sealed_decision === null || event.event === 'ping') return null
  const scope = { app_id, session_id: event.data.session_id }
  try {
    return decisionSchema.parse(await vault.open(scope, sealContexts.decision, sealed_decision))
  } catch (error) {
    if (error instanceof VaultKeyDestroyedError) return null
    throw error
  }
}

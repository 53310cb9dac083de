import { randomInt } from 'node:crypto'
import { toTimestamp, type WorkflowConfig } from '@kyc/common'
import { newId } from '@kyc/runtime'
import { CHALLENGE_SECONDS, makeChallenge } from '../domain/challenge.ts'
import { type Scope, scopeOf } from '../domain/session-scope.ts'
import { insertChallenge } from '../store/challenges.ts'
import type { Operations } from './context.ts'

/** Creates a nonce for one attempt of one session, with the requested actions; none in passive mode. */
export async function createChallenge(
  operations: Operations,
  request: Scope & { round: number; config: WorkflowConfig },
): Promise<{ challenge_id: string; actions: string[]; expires_at: string }> {
  const issuedAt = operations.clock.now()
  const expiresAt = new Date(issuedAt.getTime() + CHALLENGE_SECONDS * 1000)
  const actions =
    request.config.steps.liveness.mode === 'active' ? makeChallenge((bound) => randomInt(bound)) : []
  const challengeId = newId('challenge')
  await insertChallenge(operations.prisma, scopeOf(request), {
    challenge_id: challengeId,
    round: request.round,
    actions,
    issued_at: issuedAt,
    expires_at: expiresAt,
  })
  return { challenge_id: challengeId, actions, expires_at: toTimestamp(expiresAt) }
}

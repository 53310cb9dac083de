import type { CaptureIssue } from '@kyc/common'
import type { Sql } from '@kyc/runtime'
import type { ChallengeAction } from '../domain/challenge.ts'
import type { Scope } from '../domain/session-scope.ts'
import type { PrismaClient } from './generated/client.ts'

export type ChallengeAnswer = { accepted: boolean; issues: CaptureIssue[] }

export type ChallengeRecord = {
  challenge_id: string
  actions: ChallengeAction[]
  expires_at: Date
  used_at: Date | null
  frames_digest: string | null
  answer: ChallengeAnswer | null
}

export async function insertChallenge(
  prisma: PrismaClient,
  scope: Scope,
  challenge: { challenge_id: string; round: number; actions: string[]; issued_at: Date; expires_at: Date },
): Promise<void> {
  const { challenge_id, round, actions, issued_at, expires_at } = challenge
  await prisma.livenessChallenge.create({
    data: {
      challengeId: challenge_id,
      appId: scope.app_id,
      sessionId: scope.session_id,
      round,
      actions,
      issuedAt: issued_at,
      expiresAt: expires_at,
    },
  })
}

/** A challenge of this session and round; one of another session is not found. */
export async function findChallenge(
  sql: Sql,
  scope: Scope,
  round: number,
  challengeId: string,
): Promise<ChallengeRecord | null> {
  const { rows } = await sql.query<ChallengeRecord>(
    `SELECT challenge_id, actions, expires_at, used_at, frames_digest, answer FROM liveness_challenge
     WHERE app_id = $1 AND session_id = $2 AND round = $3 AND challenge_id = $4`,
    [scope.app_id, scope.session_id, round, challengeId],
  )
  return rows[0] ?? null
}

/** Marks the nonce as used. False if it already was, because only one answer counts. */
export async function useChallenge(
  tx: Sql,
  challengeId: string,
  use: { at: Date; framesDigest: string; answer: ChallengeAnswer },
): Promise<boolean> {
  const { rowCount } = await tx.query(
    `UPDATE liveness_challenge SET used_at = $2, frames_digest = $3, answer = $4::jsonb
     WHERE challenge_id = $1 AND used_at IS NULL`,
    [challengeId, use.at, use.framesDigest, JSON.stringify(use.answer)],
  )
  return rowCount === 1
}

/** Deletes challenges that expired without an answer; returns the number of deleted rows. */
export async function deleteExpiredChallenges(sql: Sql, before: Date): Promise<number> {
  const { rowCount } = await sql.query(
    'DELETE FROM liveness_challenge WHERE used_at IS NULL AND expires_at < $1',
    [before],
  )
  return rowCount
}

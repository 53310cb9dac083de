import {
  type Check,
  conflict,
  type endpoints,
  sealContexts,
  submitSession,
  toTimestamp,
  warningOf,
} from '@kyc/common'
import { z } from 'zod'
import { maskEmail } from '../domain/email-rules.ts'
import { missingSteps, type StepRecord, viewSteps } from '../domain/progress.ts'
import { findEmail } from '../store/emails.ts'
import { findEvidence } from '../store/evidence.ts'
import { flowSessionStore } from '../store/flow-sessions.ts'
import { findSteps } from '../store/steps.ts'
import { type Operations, scopeOf, type Visit } from './context.ts'
import { returnUrlOf } from './return-url-of.ts'

type Answer = z.input<typeof endpoints.submitFlow.success.body>

/** Submits the collected data. A repeated or premature submission is a conflict that states the reason. */
export async function submitFlow(operations: Operations, visit: Visit): Promise<Answer> {
  const { session } = visit
  if (session.status !== 'in_progress') throw conflict(`The session is ${session.status}.`)
  const records = await findSteps(operations.database, session)
  const missing = missingSteps(viewSteps(session.config, records))
  if (missing.length > 0) throw conflict(`Missing steps: ${missing.join(', ')}.`)

  const row = await flowSessionStore(operations.prisma).find(session.session_id, session.round)
  const checks = [consentCheck(visit, records), await emailCheck(operations, visit, records)].filter(
    (check) => check !== null,
  )
  const { status } = await operations.bus.request(
    submitSession,
    {
      ...scopeOf(session),
      evidence: await findEvidence(operations.database, session),
      sealed_checks: await Promise.all(
        checks.map(async (check) => ({
          kind: check.kind,
          status: check.status,
          sealed_check: (
            await operations.vault.seal(scopeOf(session), sealContexts.check_data, check)
          ).toString('base64'),
        })),
      ),
      sealed_client_address: row?.sealedClientAddress
        ? Buffer.from(row.sealedClientAddress).toString('base64')
        : null,
    },
    { traceparent: visit.traceparent },
  )
  return { status, redirect_url: await returnUrlOf(operations, session, status) }
}

const finished = (kind: Check['kind'], record: StepRecord, at: string | null): Check => ({
  kind,
  status: 'passed',
  score: null,
  data: {},
  warnings: [],
  attempts: Math.max(1, record.attempts_used),
  started_at: null,
  completed_at: at,
  engine: { name: 'flow', version: '1' },
})

const consentProgress = z.object({
  version: z.string(),
  text_sha256: z.string(),
  locale: z.string(),
  accepted_at: z.string(),
})

function consentCheck({ session }: Visit, records: readonly StepRecord[]): Check | null {
  const record = records.find((item) => item.step === 'consent')
  if (!session.config.steps.consent.enabled || !record) return null
  const progress = consentProgress.parse(record.progress)
  const acceptedAt = toTimestamp(new Date(progress.accepted_at))
  return { ...finished('consent', record, acceptedAt), data: { ...progress, accepted_at: acceptedAt } }
}

async function emailCheck(
  operations: Operations,
  { session }: Visit,
  records: readonly StepRecord[],
): Promise<Check | null> {
  if (!session.config.steps.email.enabled) return null
  const record = records.find((item) => item.step === 'email')
  const row = await findEmail(operations.database, session)
  if (!record || !row) {
    const none: StepRecord = { step: 'email', status: 'pending', attempts_used: 0, version: 0, progress: {} }
    return { ...finished('email', none, null), status: 'skipped', attempts: 0 }
  }
  const { email } = z
    .object({ email: z.string() })
    .parse(await operations.vault.open(scopeOf(session), sealContexts.email, row.sealed_email))
  const verifiedAt = row.verified_at ? toTimestamp(row.verified_at) : null
  const check = finished('email', record, verifiedAt)
  const data = {
    email_masked: maskEmail(email),
    verified_at: verifiedAt,
    attempts: record.attempts_used,
    // Unknown, because the project has no list of disposable domains.
    disposable: null,
  }
  if (verifiedAt) return { ...check, data }
  const warning = warningOf('email', 'email_code_attempts_exceeded', 'No code was entered correctly.')
  return { ...check, status: 'warning', data, warnings: [warning] }
}

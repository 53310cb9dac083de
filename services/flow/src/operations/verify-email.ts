import { conflict, type endpoints, sealContexts, UnavailableError, unprocessable } from '@kyc/common'
import type { z } from 'zod'
import {
  codeLifetimeMs,
  maxSends,
  maxTries,
  newCode,
  resendAfterMs,
  resendIn,
} from '../domain/email-rules.ts'
import { assertOpen, type StepView, viewSteps } from '../domain/progress.ts'
import { codeMail } from '../mail/code-mail.ts'
import { type EmailRow, findEmail, spendTry, storeSend } from '../store/emails.ts'
import { flowSessionStore } from '../store/flow-sessions.ts'
import { findSteps } from '../store/steps.ts'
import { type Operations, scopeOf, type Visit } from './context.ts'
import { chooseLocale, ensureStarted } from './ensure-started.ts'
import { keepStep } from './keep-step.ts'

type Answer = z.input<typeof endpoints.verifyEmail.success.body>

/** Hashes a code together with its session and send, so that it is valid for no other. */
const hashCode = (operations: Operations, { session }: Visit, send: number, code: string) =>
  operations.vault.keyedHash(
    { app_id: session.app_id },
    'email.code',
    `${session.session_id} ${send} ${code}`,
  )

export async function verifyEmail(
  operations: Operations,
  opened: Visit,
  body: { email: string } | { code: string },
): Promise<Answer> {
  const visit = await ensureStarted(operations, opened)
  const view = assertOpen(
    'email',
    viewSteps(visit.session.config, await findSteps(operations.database, visit.session)),
  )
  const row = await findEmail(operations.database, visit.session)
  return 'email' in body
    ? sendCode(operations, visit, row, body.email)
    : checkCode(operations, visit, view, row, body.code)
}

async function sendCode(
  operations: Operations,
  visit: Visit,
  row: EmailRow | null,
  email: string,
): Promise<Answer> {
  const { session } = visit
  const now = operations.clock.now()
  const wait = row ? resendIn(row.sent_at, now) : 0
  if (wait > 0)
    return { sent: false, resend_in: wait, verified: false, attempts_remaining: maxTries - (row?.tries ?? 0) }
  const sends = (row?.sends ?? 0) + 1
  if (sends > maxSends) throw conflict('No more codes can be sent for this session.')

  const code = newCode(session.environment)
  const locale = await localeOf(operations, session)
  const sent = operations.mailer.send(codeMail(email, code, session.app.name, locale))
  // Test apps have a fixed code and need no e-mail; it is sent anyway if a mail server is configured.
  if (session.environment === 'test') await sent.catch((error) => sayInLog(operations, code, error))
  else await sent
  const stored = await storeSend(operations.database, session, {
    sealed_email: await operations.vault.seal(scopeOf(session), sealContexts.email, { email }),
    code_hash: await hashCode(operations, visit, sends, code),
    sends,
    sent_at: now,
    expires_at: new Date(now.getTime() + codeLifetimeMs),
  })
  if (!stored) throw conflict('Another code was sent at the same moment.')
  return { sent: true, resend_in: resendAfterMs / 1000, verified: false, attempts_remaining: maxTries }
}

/** The language that the person chose for this session. */
const localeOf = async ({ prisma }: Operations, session: Visit['session']): Promise<string> =>
  (await flowSessionStore(prisma).find(session.session_id, session.round))?.locale ??
  chooseLocale(session.config.locales, undefined)

/** For test apps only: their code is the same for everyone and protects nothing. */
function sayInLog({ logger }: Operations, code: string, error: unknown): void {
  if (!(error instanceof UnavailableError)) throw error
  logger.info('no mail was sent to the person of a test app', { test_code: code })
}

async function checkCode(
  operations: Operations,
  visit: Visit,
  view: StepView,
  row: EmailRow | null,
  code: string,
): Promise<Answer> {
  const { session } = visit
  if (!row) throw conflict('Ask for a code first.')
  const now = operations.clock.now()
  const codeHash = await hashCode(operations, visit, row.sends, code)
  const spent = await spendTry(operations.database, session, {
    code_hash: codeHash,
    now,
    max_tries: maxTries,
  })
  if (!spent) throw unprocessable('The code is too old or was tried too often; ask for a new one.')
  const exhausted = !spent.verified && spent.tries >= maxTries && row.sends >= maxSends
  if (spent.verified || exhausted) {
    const status = spent.verified ? 'completed' : 'failed'
    const progress = { verified_at: spent.verified ? now.toISOString() : null, attempts: spent.tries }
    const next = { step: 'email', status, attempts_used: spent.tries, progress } as const
    await operations.database.transaction((tx) => keepStep(operations, tx, session, view.record, next, now))
  }
  return {
    sent: false,
    resend_in: resendIn(row.sent_at, now),
    verified: spent.verified,
    attempts_remaining: Math.max(0, maxTries - spent.tries),
  }
}

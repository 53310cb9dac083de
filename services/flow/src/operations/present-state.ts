import { type FlowState, type FlowStep, sealContexts } from '@kyc/common'
import { z } from 'zod'
import { maskEmail, maxTries, resendIn } from '../domain/email-rules.ts'
import { attemptsMax, currentStep, missingSteps, viewSteps } from '../domain/progress.ts'
import { findEmail } from '../store/emails.ts'
import { flowSessionStore } from '../store/flow-sessions.ts'
import { handoffProgress } from '../store/handoffs.ts'
import { findSteps } from '../store/steps.ts'
import { type Operations, scopeOf, type Visit } from './context.ts'
import { chooseLocale } from './ensure-started.ts'
import { returnUrlOf } from './return-url-of.ts'

/** The person's progress; contains nothing that was uploaded or read from a document. */
export async function presentState(operations: Operations, visit: Visit): Promise<FlowState> {
  const { session } = visit
  const [records, row] = await Promise.all([
    findSteps(operations.database, session),
    flowSessionStore(operations.prisma).newest(session.session_id),
  ])
  const locale = row?.locale ?? chooseLocale(session.config.locales, undefined)
  const steps = viewSteps(session.config, records)
  const isOpen = session.status === 'not_started' || session.status === 'in_progress'
  return {
    status: session.status,
    app: session.app,
    locale,
    locales: session.config.locales,
    expires_at: session.expires_at,
    steps: await Promise.all(
      steps.map(async ({ key, status, required, record }) => ({
        key,
        status,
        required,
        attempts_used: record?.attempts_used ?? 0,
        attempts_max: attemptsMax(key, session.config),
        options: await optionsOf(operations, visit, key, locale, record?.progress ?? {}),
      })),
    ),
    current_step: isOpen ? currentStep(steps) : null,
    can_submit: session.status === 'in_progress' && missingSteps(steps).length === 0,
    handoff: {
      enabled: session.config.handoff.enabled && isOpen,
      device: await handoffProgress(operations.database, session.session_id, operations.clock.now()),
    },
    return_url: isOpen ? null : await returnUrlOf(operations, session, session.status),
  }
}

async function optionsOf(
  operations: Operations,
  { session }: Visit,
  step: FlowStep,
  locale: string,
  progress: Record<string, unknown>,
): Promise<Record<string, unknown>> {
  const { consent, document, liveness, email } = session.config.steps
  if (step === 'consent') {
    const text = consentText(consent.text, locale)
    return { version: consent.version, text, privacy_url: consent.privacy_url }
  }
  if (step === 'email') {
    return {
      required: email.required,
      prefill: await contactEmail(operations, session),
      ...(await sentCode(operations, session)),
    }
  }
  if (step === 'document') {
    const { allowed_types, allowed_countries, require_back, allow_upload } = document
    const { sides = [], needs_back = false, document_type = null } = progress
    return { allowed_types, allowed_countries, require_back, allow_upload, sides, needs_back, document_type }
  }
  return { mode: liveness.mode }
}

/** The consent text in the person's language if available, else in English, else the first one. */
export const consentText = (texts: Record<string, string>, locale: string): string =>
  texts[locale] ?? texts[locale.split('-')[0] ?? ''] ?? texts.en ?? Object.values(texts)[0] ?? ''

/** The code that was sent, so that another device can continue at the same point. */
async function sentCode(operations: Operations, session: Visit['session']) {
  const row = await findEmail(operations.database, session)
  if (!row || row.verified_at) return { sent_to: null, resend_in: 0, attempts_remaining: maxTries }
  const { email } = contact.parse(
    await operations.vault.open(scopeOf(session), sealContexts.email, row.sealed_email),
  )
  return {
    sent_to: maskEmail(email),
    resend_in: resendIn(row.sent_at, operations.clock.now()),
    attempts_remaining: Math.max(0, maxTries - row.tries),
  }
}

const contact = z.object({ email: z.string() })

/** The address that the client provided at creation, used to prefill the field. */
async function contactEmail(operations: Operations, session: Visit['session']): Promise<string | null> {
  if (!session.sealed_contact_email) return null
  const bytes = Buffer.from(session.sealed_contact_email, 'base64')
  return contact.parse(await operations.vault.open(scopeOf(session), sealContexts.email, bytes)).email
}

import {
  type AdvanceTarget,
  type Check,
  conflict,
  findTestScenario,
  sealContexts,
  type TestScenarioName,
  toTimestamp,
} from '@kyc/common'
import type { SessionRecord } from '../store/session-record.ts'
import { takeTestScenario } from '../store/sessions.ts'
import { type Operations, scopeOf } from './context.ts'
import { decideSession } from './decide-session.ts'
import { findCurrent } from './find-current.ts'
import { refuseConsent } from './refuse-consent.ts'
import { startSession } from './start-session.ts'
import { submitSession } from './submit-session.ts'
import { moveSimply, wrongStatus } from './transition.ts'

/** Targets that are reached by submitting the session. */
type HandedIn = Extract<AdvanceTarget, 'processing' | 'approved' | 'declined' | 'in_review'>

type Request = {
  app_id: string
  session_id: string
  to: AdvanceTarget
  api_key_id: string
  traceparent?: string
}

/**
 * Moves a test session towards a status by the real transitions of the person, the clock or a reviewer. Checks decide
 * asynchronously, so the response shows the session's current status.
 */
export async function advanceSession(operations: Operations, request: Request): Promise<SessionRecord> {
  const session = await findCurrent(operations, request)
  if (session.status === request.to) return session
  if (request.to === 'expired') return expire(operations, session)
  if (session.status === 'in_review') return review(operations, session, request)
  if (session.status !== 'not_started' && session.status !== 'in_progress') throw wrongStatus(session.status)
  if (request.to === 'in_progress') await startSession(operations, request)
  else if (request.to === 'abandoned') await abandon(operations, request)
  else await handIn(operations, session, request, request.to)
  return findCurrent(operations, request)
}

function expire(operations: Operations, session: SessionRecord): Promise<SessionRecord> {
  if (session.status !== 'not_started') throw wrongStatus(session.status)
  return moveSimply(operations, session, {
    trigger: 'expired',
    to: 'expired',
    decision_reason: 'session_expired',
  })
}

async function abandon(operations: Operations, request: Request): Promise<void> {
  await startSession(operations, request)
  await moveSimply(operations, await findCurrent(operations, request), {
    trigger: 'abandoned',
    to: 'abandoned',
    decision_reason: 'session_abandoned',
  })
}

async function review(
  operations: Operations,
  session: SessionRecord,
  { to, api_key_id }: Request,
): Promise<SessionRecord> {
  if (to !== 'approved' && to !== 'declined') throw wrongStatus(session.status)
  const decision = { status: to, note: null, reviewed_by: null, api_key_id }
  return (await decideSession(operations, { ...scopeOf(session), ...decision })).session
}

/** Consents and submits like the person would; the scenario determines the results of the checks. */
async function handIn(
  operations: Operations,
  session: SessionRecord,
  request: Request,
  to: HandedIn,
): Promise<void> {
  const declines = session.config.decision.auto_decline
  if (to === 'declined' && session.test_scenario === null && !declines) {
    // Without auto_decline, a session is `declined` before a review only if the person refuses consent.
    if (!session.config.steps.consent.enabled) {
      throw conflict('The workflow declines nothing by itself and has no consent step to refuse.')
    }
    await startSession(operations, request)
    await refuseConsent(operations, request)
    return
  }
  const scenario = findTestScenario(session.test_scenario ?? scenarioTowards[to])
  const outcome = declines ? scenario?.outcome_with_auto_decline : scenario?.outcome
  if (!scenario || !outcome) throw conflict(`No scenario leads to ${to}.`)
  if (to !== 'processing' && to !== outcome.status) {
    throw conflict(`The scenario ${scenario.scenario} ends in ${outcome.status}, not in ${to}.`)
  }
  await takeTestScenario(operations.database, session, scenario.scenario)
  await startSession(operations, request)
  const chosen = await findCurrent(operations, request)
  await submitSession(
    operations,
    {
      ...scopeOf(chosen),
      evidence: [],
      sealed_checks: await flowChecks(operations, chosen),
      sealed_client_address: null,
    },
    request.traceparent,
  )
}

/** The scenario that a session without one runs to reach each status. */
const scenarioTowards: Readonly<Record<HandedIn, TestScenarioName>> = {
  processing: 'approved',
  approved: 'approved',
  in_review: 'aml_match',
  declined: 'document_expired',
}

/** The checks that the flow itself performs. */
async function flowChecks(operations: Operations, session: SessionRecord) {
  const now = toTimestamp(operations.clock.now())
  const kinds = (['consent', 'email'] as const).filter((kind) => session.config.steps[kind].enabled)
  return Promise.all(
    kinds.map(async (kind) => {
      const check: Check = {
        kind,
        status: 'passed',
        score: null,
        data: {},
        warnings: [],
        attempts: 1,
        started_at: now,
        completed_at: now,
        engine: { name: 'test-scenario', version: '1' },
      }
      const sealed = await operations.vault.seal(scopeOf(session), sealContexts.check_data, check)
      return { kind, status: check.status, sealed_check: sealed.toString('base64') }
    }),
  )
}

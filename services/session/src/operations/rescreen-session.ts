import {
  check as checkSchema,
  conflict,
  type rescreenSession as contract,
  screenAgain,
  sealContexts,
} from '@kyc/common'
import type { z } from 'zod'
import { findChecks, replaceCheck } from '../store/checks.ts'
import { insertEvent } from '../store/session-events.ts'
import type { SessionRecord } from '../store/session-record.ts'
import { lockSession } from '../store/sessions.ts'
import { actorOf, recordAudit } from './audit.ts'
import { type Operations, scopeOf } from './context.ts'
import { findUnpurged } from './find-current.ts'
import { keepWarnings } from './keep-warnings.ts'
import { presentDecision } from './present-decision.ts'
import { checkRow } from './record-check.ts'
import { moved, writeMove } from './transition.ts'
import { isOpen, matchesOf } from './with-verdicts.ts'

type Request = z.output<typeof contract.request>

/**
 * Screens the session's name against the current lists and replaces the `aml` check. An approved, monitored session
 * returns to review if there is an unreviewed match.
 */
export async function rescreenSession(
  operations: Operations,
  request: Request,
): Promise<{ matches: number }> {
  const { vault, bus, database, clock } = operations
  const session = await findUnpurged(operations, request)
  assertScreened(session)
  const { sealed_check } = await bus.request(screenAgain, {
    ...scopeOf(session),
    environment: session.environment,
    config: session.config,
    sealed_identity: session.sealed_identity?.toString('base64') ?? null,
    test_scenario: session.test_scenario,
  })
  const sealed = Buffer.from(sealed_check, 'base64')
  const check = checkSchema.parse(await vault.open(scopeOf(session), sealContexts.check_data, sealed))
  const found = matchesOf(check)
  await database.transaction(async (tx) => {
    const current = await lockSession(tx, request.app_id, request.session_id)
    if (!current || current.sequence !== session.sequence || current.purged_at) {
      throw conflict('The session has changed while it was screened.')
    }
    const row = checkRow(
      { ...scopeOf(current), round: current.round, final: true, part: null },
      check,
      sealed,
    )
    if (!(await replaceCheck(tx, row))) throw conflict('The session was not screened before.')
    const checks = await findChecks(tx, current.session_id)
    const set = await keepWarnings(tx, current, checks)
    const actor = actorOf(request.by)
    const details = { matches: found.length }
    await insertEvent(tx, current, { kind: 'rescreened', actor, details, at: clock.now() })
    await recordAudit(operations, tx, current, actor, 'session.rescreened', details, request.by.ip)
    if (current.status !== 'approved') return
    const shown = await presentDecision({ vault, sql: tx }, current, { checks })
    const open = shown.checks.flatMap(matchesOf).filter(isOpen)
    if (open.length === 0) return
    const move = {
      trigger: 'monitoring_match',
      to: 'in_review',
      decision_reason: 'aml_potential_match',
      set,
    } as const
    const after = moved(operations, current, move)
    const decision = await presentDecision({ vault, sql: tx }, after, { checks })
    await writeMove(operations, tx, current, after, decision, undefined, actor)
  })
  return { matches: found.length }
}

function assertScreened(session: SessionRecord): void {
  const { aml } = session.config.steps
  if (!aml.enabled) throw conflict('The workflow of this session has no AML step.')
  const monitored = session.status === 'approved' && aml.monitor
  if (session.status !== 'in_review' && !monitored) {
    throw conflict(`The session is ${session.status}: only one in review, or monitored, is screened again.`)
  }
}

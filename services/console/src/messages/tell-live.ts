import type { auditRecorded, LiveEvent, sessionStatusChanged } from '@kyc/common'
import type { Clock, Sql } from '@kyc/runtime'
import type { z } from 'zod'
import { insertLiveEvent } from '../store/live-events.ts'

type Audited = z.output<typeof auditRecorded.payload>
type Moved = z.output<typeof sessionStatusChanged.payload>

/** The live event of each audited action. Actions that are not listed change nothing on open pages. */
const typeOfAction: Readonly<Record<string, LiveEvent['type']>> = {
  'session.created': 'session.created',
  'session.assigned': 'session.assigned',
  'session.released': 'session.assigned',
  'session.noted': 'session.noted',
  'session.rescreened': 'session.rescreened',
  'session.purged': 'session.purged',
  'aml_match.reviewed': 'session.match_reviewed',
  'workflow.created': 'workflow.changed',
  'workflow.edited': 'workflow.changed',
  'workflow.made_default': 'workflow.changed',
  'workflow.archived': 'workflow.changed',
}

/** Notifies open pages of an action, in the transaction that appends it to the audit log. */
export async function tellAct(sql: Sql, clock: Clock, act: Audited): Promise<void> {
  const type = typeOfAction[act.action]
  if (!type) return
  const ofWorkflow = type === 'workflow.changed'
  const event: LiveEvent = {
    type,
    session_id: ofWorkflow ? null : act.target,
    workflow_id: ofWorkflow ? act.target : null,
    status: null,
    at: act.at,
  }
  await insertLiveEvent(sql, act.app_id, event, clock.now())
}

/** Notifies open pages of a session's transition. */
export const tellMove = (sql: Sql, clock: Clock, move: Moved): Promise<void> =>
  insertLiveEvent(
    sql,
    move.app_id,
    {
      type: 'session.status_changed',
      session_id: move.session_id,
      workflow_id: move.workflow_id,
      status: move.status,
      at: move.occurred_at,
    },
    clock.now(),
  )

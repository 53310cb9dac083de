import { createHash } from 'node:crypto'
import { toTimestamp } from '@kyc/common'
import { type ReportPicture, reportPage, reportStyle } from '../domain/report-page.ts'
import { findApp } from '../store/apps.ts'
import { findUserNames } from '../store/user-names.ts'
import { type Actor, type Operations, record } from './context.ts'
import { showEvidence } from './show-evidence.ts'
import { readSession, type SessionScope } from './show-session.ts'

const styleHash = createHash('sha256').update(reportStyle).digest('base64')

/** Allows no script, frame or request: only the one style by its hash, and pictures embedded in the page. */
export const reportHeaders = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': `default-src 'none'; style-src 'sha256-${styleHash}'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  'referrer-policy': 'no-referrer',
} as const

/** A page to print. Each included picture is audited as a view. */
export async function printReport(
  operations: Operations,
  actor: Actor,
  scope: SessionScope,
  withEvidence: boolean,
): Promise<string> {
  const session = await readSession(operations, scope)
  const pictures: ReportPicture[] = []
  for (const item of withEvidence ? session.evidence : []) {
    const jpeg = await showEvidence(operations, actor, { ...scope, object_id: item.object_id })
    const url = `data:image/jpeg;base64,${jpeg.toString('base64')}`
    pictures.push({ kind: item.kind, round: item.round, url })
  }
  await record(operations, actor, {
    app_id: scope.app_id,
    action: 'session.report_printed',
    target: session.session.session_id,
    details: { evidence: withEvidence },
  })
  const { database, clock } = operations
  const names = await findUserNames(database, [actor.id])
  const app = await findApp(database, scope.app_id)
  return reportPage(session, pictures, {
    by: names.get(actor.id) ?? actor.id,
    at: toTimestamp(clock.now()),
    app: app?.name ?? scope.app_id,
  })
}

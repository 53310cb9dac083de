import { expect } from '@jest/globals'
import {
  type ActingUser,
  type AmlMatch,
  getSessionDetail,
  sealContexts,
  sessionDetailContents,
} from '@kyc/common'
import { newId } from '@kyc/runtime'
import { answer, passAll, type SessionHarness, submitted } from './harness.ts'

export const reviewer = (): ActingUser => ({ user_id: newId('user'), ip: '198.51.100.7' })

/** A match as sanctions-screening reports it. */
export const listedMatch = (changes: Partial<AmlMatch> = {}): AmlMatch => ({
  match_id: 'mat_1',
  list: 'un_sc',
  list_version: '2026-02-27',
  entity_id: 'QDi.331',
  entity_type: 'person',
  name: 'ERIKA BEISPIEL',
  matched_name: 'ERIKA BEISPIEL',
  matched_name_type: 'primary',
  score: 0.96,
  name_score: 0.96,
  date_of_birth_match: null,
  dates_of_birth: [],
  nationalities: [],
  programs: [],
  listed_on: null,
  remarks: null,
  source_url: null,
  explanation: { tokens: [], unmatched_query: [], unmatched_listed: [], adjustments: [] },
  review: { status: 'unreviewed', reviewed_by: null, reviewed_at: null, note: null },
  ...changes,
})

/** An `aml` check with these matches. */
export const amlFound = (matches: AmlMatch[]) => ({
  kind: 'aml' as const,
  status: 'warning' as const,
  score: Math.max(...matches.map((match) => match.name_score)),
  data: { matches, lists: [], screened_name: 'Erika Beispiel', threshold: 0.82, screened_at: null },
  warnings: [
    { code: 'aml_potential_match', severity: 'medium' as const, message: 'm', field: null, details: null },
  ],
})

/** A session that is in review because of AML matches. */
export async function inReview(
  harness: SessionHarness,
  options: { matches?: AmlMatch[]; body?: object } = {},
): Promise<string> {
  const sessionId = await submitted(harness, options.body)
  await passAll(harness, sessionId, ['aml'])
  await answer(harness, sessionId, amlFound(options.matches ?? [listedMatch()]))
  await harness.drain()
  return sessionId
}

export const scopeIn = (harness: SessionHarness, sessionId: string) => ({
  app_id: harness.appId,
  session_id: sessionId,
})

export async function detailOf(harness: SessionHarness, sessionId: string) {
  const scope = scopeIn(harness, sessionId)
  const detail = await harness.bus.request(getSessionDetail, scope)
  expect(detail.sealed_contents).not.toBeNull()
  const bytes = Buffer.from(detail.sealed_contents ?? '', 'base64')
  const contents = sessionDetailContents.parse(
    await harness.deps.vault.open(scope, sealContexts.session_detail, bytes),
  )
  return { ...detail, ...contents }
}

/** A sealed note as the console sends it. */
export async function sealedNote(harness: SessionHarness, sessionId: string, text: string): Promise<string> {
  const bytes = await harness.deps.vault.seal(scopeIn(harness, sessionId), sealContexts.note, text)
  return bytes.toString('base64')
}

/** The published audit events, oldest first. */
export async function auditOf(harness: SessionHarness, target: string) {
  const { rows } = await harness.database.query<{
    payload: { action: string; actor: object; ip: string | null; details: object }
  }>(`SELECT payload FROM outbox WHERE name = 'audit.recorded' AND payload->>'target' = $1 ORDER BY seq`, [
    target,
  ])
  return rows.map((row) => row.payload)
}

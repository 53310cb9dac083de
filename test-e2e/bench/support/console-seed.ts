import { nameHash, sealContexts } from '@kyc/common'
import type { Vault } from '@kyc/vault'
import type pg from 'pg'
import type { ConsoleClient } from '../../support/console.ts'

export type Seeded = { words: string[]; sealed: number }

/** Seeded sessions are up to 400 days old, so retention must not purge them during a measurement. */
export async function keepSeeded(owner: ConsoleClient, appId: string): Promise<void> {
  const { status, body } = await owner.put(`/apps/${appId}/retention`, { retention_days: 3650 })
  if (status !== 200) throw new Error(`retention: ${JSON.stringify(body)}`)
}

/** Drops indexes and triggers of `session` while rows are inserted, and recreates them afterwards. */
async function inBulk(client: pg.Client, work: () => Promise<void>): Promise<void> {
  const { rows } = await client.query<{ name: string; definition: string }>(
    `SELECT indexname AS name, indexdef AS definition FROM pg_indexes
     WHERE schemaname = 'session' AND tablename = 'session' AND indexname NOT IN (
       SELECT conname FROM pg_constraint WHERE conrelid = 'session.session'::regclass)`,
  )
  await client.query('ALTER TABLE session DISABLE TRIGGER USER')
  for (const { name } of rows) await client.query(`DROP INDEX ${name}`)
  await work()
  for (const { definition } of rows) await client.query(definition)
  await client.query('ALTER TABLE session ENABLE TRIGGER USER')
}

/**
 * `count` sessions of one app over 400 days: seven in ten approved, one in twenty in review, with warnings, reasons,
 * assignees and names in a realistically skewed distribution (the most common word is in one session of forty-five).
 */
export async function seedSessions(
  client: pg.Client,
  app: { app_id: string; workflow_ids: string[]; user_id: string },
  vault: Vault,
  count: number,
): Promise<Seeded> {
  await client.query(
    `SET search_path = session; SET maintenance_work_mem = '512MB'; SET synchronous_commit = off`,
  )
  await inBulk(client, async () => {
    await client.query(
      `INSERT INTO session (session_id, app_id, environment, workflow_id, workflow_version, status, decision_reason,
         vendor_data, token_sha256, created_via, created_at, updated_at, started_at, submitted_at, completed_at,
         expires_at, in_review_at, assignee_id, assigned_at, warning_count, worst_severity)
       SELECT 'ses_' || lpad(n::text, 24, '0'), $1, 'test', ($2::text[])[1 + n % 3], 1, status,
         CASE status WHEN 'in_review' THEN reason WHEN 'declined' THEN CASE WHEN n % 2 = 0 THEN reason ELSE 'manual_review_declined' END
           WHEN 'expired' THEN 'session_expired' WHEN 'abandoned' THEN 'session_abandoned' END,
         'customer-' || n, sha256(n::text::bytea), 'api', made, made + interval '6 minutes', made, made + interval '4 minutes',
         CASE WHEN status <> 'not_started' THEN made + interval '5 minutes' END, made + interval '7 days',
         CASE WHEN status = 'in_review' THEN made + interval '5 minutes' END,
         CASE WHEN status = 'in_review' AND n % 5 < 2 THEN $3 WHEN n % 997 = 0 THEN $3 END,
         made, CASE WHEN status IN ('in_review', 'declined') THEN 1 ELSE 0 END,
         CASE WHEN status IN ('in_review', 'declined') THEN 'medium' END
       FROM (
         SELECT n, now() - interval '400 days' + interval '400 days' * (n::float8 / $4) AS made,
           (ARRAY['approved','approved','approved','approved','approved','approved','approved','approved','approved',
             'approved','approved','approved','approved','approved','declined','declined','declined','abandoned','expired',
             'in_review'])[1 + (hashint4(n) & 2147483647) % 20] AS status,
           (ARRAY['aml_potential_match','document_unreadable','face_match_inconclusive','liveness_inconclusive',
             'duplicate_face','face_mismatch'])[1 + (hashint4(n + 7) & 2147483647) % 6] AS reason
         FROM generate_series(1, $4::int) AS n) AS drawn ORDER BY n`,
      [app.app_id, app.workflow_ids, app.user_id, count],
    )
  })
  await client.query(
    `INSERT INTO session_count (app_id, status, part, count)
     SELECT app_id, status, 0, count(*) FROM session GROUP BY app_id, status`,
  )
  await client.query(
    `INSERT INTO session_warning (app_id, code, seq)
     SELECT app_id, CASE WHEN seq % 5000 = 0 THEN 'tampering_suspected' WHEN seq % 3 = 0 THEN 'image_blurry'
       ELSE 'aml_potential_match' END, seq
     FROM session WHERE seq % 5000 = 0 OR seq % 3 = 0 OR decision_reason = 'aml_potential_match' ORDER BY 1, 2, 3`,
  )
  const words = await seedNames(client, app.app_id, vault)
  await client.query('VACUUM (ANALYZE) session, session_warning, session_name, session_count')
  return { words, sealed: await sealOldest(client, app.app_id, vault) }
}

const distinctWords = 2_000

/** Two words for each session, as keyed hashes like those of the service. */
async function seedNames(client: pg.Client, appId: string, vault: Vault): Promise<string[]> {
  const words = Array.from({ length: distinctWords }, (_, rank) => `WORD${rank}`)
  const hashes = await Promise.all(
    words.map(async (word) =>
      Buffer.from(await vault.keyedHash({ app_id: appId }, nameHash.purpose, word), 'hex').subarray(
        0,
        nameHash.bytes,
      ),
    ),
  )
  await client.query('CREATE TEMP TABLE word (rank int PRIMARY KEY, hash bytea)')
  await client.query(
    'INSERT INTO word SELECT ordinality - 1, hash FROM unnest($1::bytea[]) WITH ORDINALITY AS w (hash, ordinality)',
    [hashes],
  )
  await client.query('DROP INDEX session_name_session')
  await client.query(
    `INSERT INTO session_name (app_id, word_hash, seq, session_id)
     SELECT $1, word.hash, drawn.seq, drawn.session_id
     FROM (SELECT seq, session_id, floor(${distinctWords} * power(random(), 2))::int AS rank FROM session
           UNION ALL
           SELECT seq, session_id, floor(${distinctWords} * power(random(), 2))::int FROM session) AS drawn
     JOIN word USING (rank) ORDER BY word.hash, drawn.seq ON CONFLICT DO NOTHING`,
    [appId],
  )
  await client.query('CREATE INDEX session_name_session ON session_name (session_id)')
  return words
}

const sealedSessions = 200

/** The head of the queue with real sealed checks, which its page opens. */
async function sealOldest(client: pg.Client, appId: string, vault: Vault): Promise<number> {
  const { rows } = await client.query<{ session_id: string }>(
    `SELECT session_id FROM session WHERE app_id = $1 AND status = 'in_review' ORDER BY in_review_at, seq LIMIT $2`,
    [appId, sealedSessions],
  )
  const base = { score: null, warnings: [], attempts: 1, started_at: null, completed_at: null, engine: null }
  const checks = [
    {
      ...base,
      kind: 'document',
      status: 'passed',
      data: { document_type: 'passport', issuing_state: 'DEU' },
    },
    { ...base, kind: 'aml', status: 'warning', data: { matches: [{ match_id: 'mat_1' }] } },
  ]
  for (const { session_id } of rows) {
    for (const check of checks) {
      const sealed = await vault.seal({ app_id: appId, session_id }, sealContexts.check_data, check)
      await client.query(
        `INSERT INTO session_check (session_id, kind, round, final, status, warnings, attempts, sealed)
         VALUES ($1, $2, 1, true, $3, '[]', 1, $4)`,
        [session_id, check.kind, check.status, sealed],
      )
    }
  }
  await client.query('ANALYZE session_check')
  return rows.length
}

/** The events of `sessions` sessions that are not yet rolled up. Returns how many events. */
export async function seedEvents(client: pg.Client, sessions: number): Promise<number> {
  const { rowCount } = await client.query(
    `INSERT INTO session_event (session_id, app_id, workflow_id, kind, actor_type, details, at, cohort)
     SELECT session_id, app_id, workflow_id, told.kind, told.actor, told.details, created_at, created_at::date
     FROM (SELECT * FROM session ORDER BY seq DESC LIMIT $1) AS session, LATERAL (VALUES
       ('created', 'api_key', '{}'::jsonb),
       ('status_changed', 'end_user', '{"from":"not_started","to":"in_progress","round":1}'::jsonb),
       ('step_completed', 'end_user', '{"name":"document","round":1,"first":true,"seconds":42}'::jsonb),
       ('status_changed', 'end_user', '{"from":"in_progress","to":"processing","round":1,"seconds":180}'::jsonb),
       ('status_changed', 'system', jsonb_build_object('from', 'processing', 'to', status, 'round', 1,
         'reason', decision_reason, 'seconds', 5 + seq % 20))
     ) AS told (kind, actor, details)`,
    [sessions],
  )
  await client.query('ANALYZE session_event')
  return rowCount ?? 0
}

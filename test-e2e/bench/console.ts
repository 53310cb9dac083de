import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { openVault } from '@kyc/host'
import { silentLogger, systemClock } from '@kyc/runtime'
import pg from 'pg'
import { type Api, apiClient } from '../support/api.ts'
import { type ConsoleClient, consoleClient, signInAndEnrol } from '../support/console.ts'
import { startTestSystem, temporaryFolder } from '../support/system.ts'
import { keepSeeded, seedEvents, seedSessions } from './support/console-seed.ts'

export const name = 'console'

const sessions = Number(process.env.BENCH_CONSOLE_SESSIONS ?? 1_000_000)
const eventSessions = 60_000
const rounds = 100
const target = 100

type Case = {
  name: string
  /** A path of the console; with `api`, of the API for client backends. */
  path: (round: number) => string
  api?: true
  /** The simplest SQL for the same page; `$1` is the app. */
  sql: string
  values?: (round: number) => unknown[]
}

/** Queue and search of the console over HTTP compared with the plain SQL of the same page, alternating call by call. */
export async function run(): Promise<string> {
  const folder = await temporaryFolder()
  const system = await startTestSystem({ DATA_DIR: folder, MODELS_DIR: '/nonexistent', SANCTIONS_DIR: '' })
  const client = new pg.Client({ connectionString: system.databaseUrl })
  await client.connect()
  try {
    const owner = consoleClient(system.url)
    await signInAndEnrol(owner, system.app.console)
    const [app] = (await owner.get('/apps')).body.data
    const scope = `/apps/${app.app_id}`
    await keepSeeded(owner, app.app_id)
    const workflow_ids = await threeWorkflows(owner, scope)
    const user_id = (await owner.get('/me')).body.user.id
    const began = performance.now()
    const seeded = await seedSessions(
      client,
      { app_id: app.app_id, workflow_ids, user_id },
      await vaultOf(folder),
      sessions,
    )
    const seconds = (performance.now() - began) / 1000
    const lines: string[] = []
    const api = apiClient(system.url, system.app.api_key)
    for (const each of [...casesOf(scope, workflow_ids, user_id, seeded.words), ...apiCases()])
      lines.push(await measure({ owner, api }, client, app.app_id, each))
    return [
      '## Console',
      '',
      `${sessions.toLocaleString('en')} sessions of one app (seeded in ${seconds.toFixed(0)} s), ${rounds} calls of each kind, HTTP and SQL in turn, one client; gateway, console, bus, session service and PostgreSQL share the machine. Target: p95 under ${target} ms.`,
      '',
      '| | rows | HTTP p50 ms | HTTP p95 ms | plain SQL p50 ms | plain SQL p95 ms |',
      '|---|---|---|---|---|---|',
      ...lines,
      '',
      ...(await measureAnalytics(owner, client, scope)),
    ].join('\n')
  } finally {
    await client.end()
    await system.close()
  }
}

/** The default workflow and two more, so that a filter by workflow selects a third. */
async function threeWorkflows(owner: ConsoleClient, scope: string): Promise<string[]> {
  const [first] = (await owner.get(`${scope}/workflows`)).body.data
  const ids = [first.id as string]
  for (const name of ['Second', 'Third']) {
    const made = await owner.post(`${scope}/workflows`, { name, config: first.config })
    ids.push(made.body.id as string)
  }
  return ids
}

/** The system's own vault, so that the system can open the seeded values. */
async function vaultOf(folder: string) {
  const { vault_key } = JSON.parse(await readFile(join(folder, 'secrets.json'), 'utf8')) as {
    vault_key: string
  }
  const settings = {
    VAULT_STORE: `folder:${join(folder, 'vault')}`,
    VAULT_KEY: vault_key,
    VAULT_KEY_ID: 'k1',
    VAULT_PREVIOUS_KEYS: '',
  }
  return openVault(settings, { clock: systemClock, logger: silentLogger })
}

const dayMs = 86_400_000
const instant = (daysAgo: number) => `${new Date(Date.now() - daysAgo * dayMs).toISOString().slice(0, 19)}Z`

function casesOf(scope: string, workflows: string[], userId: string, words: string[]): Case[] {
  const search = (query: string) => `${scope}/sessions?limit=25&${query}`
  const queue = (query: string) => `${scope}/queue?limit=25&${query}`
  const plain = (where: string, order = 'seq DESC') =>
    `SELECT * FROM session WHERE app_id = $1 ${where} ORDER BY ${order} LIMIT 26`
  const waiting = 'in_review_at, seq'
  const workflow = (round: number) => workflows[round % workflows.length] ?? ''
  /** From the most common to the rarest. */
  const word = (round: number) => words[(round * round) % words.length] ?? ''
  const withName = `AND seq IN (SELECT session_name.seq FROM session_name JOIN word ON hash = word_hash
    WHERE app_id = $1 AND rank = $2)`
  const rank = (round: number) => (round * round) % words.length
  return [
    { name: 'queue, oldest first', path: () => queue(''), sql: plain(`AND status = 'in_review'`, waiting) },
    {
      name: 'queue, unassigned',
      path: () => queue('assignee=none'),
      sql: plain(`AND status = 'in_review' AND assignee_id IS NULL`, waiting),
    },
    {
      name: 'queue, mine',
      path: () => queue('assignee=me'),
      sql: plain(`AND status = 'in_review' AND assignee_id = $2`, waiting),
      values: () => [userId],
    },
    {
      name: 'queue, by reason and workflow',
      path: (round) => queue(`reason=face_mismatch&workflow_id=${workflow(round)}`),
      sql: plain(
        `AND status = 'in_review' AND decision_reason = 'face_mismatch' AND workflow_id = $2`,
        waiting,
      ),
      values: (round) => [workflow(round)],
    },
    { name: 'search, newest', path: () => search(''), sql: plain('') },
    {
      name: 'search, one status',
      path: () => search('status=declined'),
      sql: plain(`AND status = 'declined'`),
    },
    {
      name: 'search, three statuses',
      path: () => search('status=declined,in_review,expired'),
      sql: plain(`AND status IN ('declined', 'in_review', 'expired')`),
    },
    {
      name: 'search, status and workflow',
      path: (round) => search(`status=in_review&workflow_id=${workflow(round)}`),
      sql: plain(`AND status = 'in_review' AND workflow_id = $2`),
      values: (round) => [workflow(round)],
    },
    {
      name: 'search, reason',
      path: () => search('reason=duplicate_face'),
      sql: plain(`AND decision_reason = 'duplicate_face'`),
    },
    {
      name: 'search, status and a reason it never has',
      path: () => search('status=approved&reason=face_mismatch'),
      sql: plain(`AND status = 'approved' AND decision_reason = 'face_mismatch'`),
    },
    {
      name: 'search, rare warning',
      path: () => search('warning=tampering_suspected'),
      sql: plain(
        `AND seq IN (SELECT seq FROM session_warning WHERE app_id = $1 AND code = 'tampering_suspected')`,
      ),
    },
    {
      name: 'search, common warning in one status',
      path: () => search('warning=image_blurry&status=declined'),
      sql: plain(
        `AND status = 'declined' AND seq IN (SELECT seq FROM session_warning WHERE app_id = $1 AND code = 'image_blurry')`,
      ),
    },
    {
      name: 'search, vendor_data',
      path: (round) => search(`vendor_data=customer-${round * 9_973}`),
      sql: plain('AND vendor_data = $2'),
      values: (round) => [`customer-${round * 9_973}`],
    },
    {
      name: 'search, a day long ago in one status',
      path: (round) =>
        search(`status=declined&created_from=${instant(round + 200)}&created_to=${instant(round + 199)}`),
      sql: plain(
        `AND status = 'declined' AND created_at >= $2::timestamptz AND created_at < $3::timestamptz`,
      ),
      values: (round) => [instant(round + 200), instant(round + 199)],
    },
    {
      name: 'search, page from the middle',
      path: (round) => search(`cursor=${Math.floor(sessions / 2) + round}`),
      sql: plain('AND seq < $2'),
      values: (round) => [Math.floor(sessions / 2) + round],
    },
    {
      name: 'search, one word of a name',
      path: (round) => search(`name=${word(round)}`),
      sql: plain(withName),
      values: (round) => [rank(round)],
    },
    {
      name: 'search, the two commonest words of names',
      path: () => search(`name=${words[0]}%20${words[1]}`),
      sql: plain(`${withName} ${withName.replace('$2', '$3')}`),
      values: () => [0, 1],
    },
  ]
}

/** Numbered pages that a client's backend requests, each with its `total`; the plain SQL has no total. */
function apiCases(): Case[] {
  const size = 25
  const pages = Math.ceil(sessions / size)
  const list = (name: string, page: (round: number) => number, status?: string): Case => ({
    name: `GET /v1/sessions, ${name}`,
    api: true,
    path: (round) => `/v1/sessions?page_size=${size}&page=${page(round)}${status ? `&status=${status}` : ''}`,
    sql: `SELECT * FROM session WHERE app_id = $1 ${status ? `AND status = '${status}'` : ''}
      ORDER BY seq DESC LIMIT ${size} OFFSET $2`,
    values: (round) => [(page(round) - 1) * size],
  })
  return [
    list('first page', () => 1),
    list('a page in the middle', (round) => Math.floor(pages / 2) - round),
    list('a late page', (round) => pages - round - 1),
    list('first page of one status', () => 1, 'declined'),
    list('a hundredth page of one status', (round) => 100 + round, 'declined'),
  ]
}

const percentile = (values: readonly number[], share: number): number =>
  [...values].sort((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))] ?? 0

async function measure(
  { owner, api }: { owner: ConsoleClient; api: Api },
  client: pg.Client,
  appId: string,
  each: Case,
): Promise<string> {
  const http: number[] = []
  const sql: number[] = []
  let rows = 0
  for (let round = -3; round < rounds; round++) {
    const at = Math.max(0, round)
    const asked = performance.now()
    const answer = each.api
      ? await api.get<{ data: unknown[] }>(each.path(at))
      : await owner.get(each.path(at))
    const answered = performance.now()
    if (answer.status !== 200) throw new Error(`${each.name}: ${JSON.stringify(answer.body)}`)
    await client.query(each.sql, [appId, ...(each.values?.(at) ?? [])])
    if (round < 0) continue
    rows = Math.max(rows, answer.body.data.length)
    http.push(answered - asked)
    sql.push(performance.now() - answered)
  }
  const figures = [http, sql].flatMap((times) => [percentile(times, 0.5), percentile(times, 0.95)])
  const shown = figures.map((ms, index) => (index === 1 ? `**${ms.toFixed(1)}**` : ms.toFixed(1)))
  return `| ${each.name} | ${rows} | ${shown.join(' | ')} |`
}

/**
 * How fast events are rolled up into sums, and how fast the sums are read, compared with counting the sessions
 * themselves.
 */
async function measureAnalytics(owner: ConsoleClient, client: pg.Client, scope: string): Promise<string[]> {
  const days = `from=${instant(90).slice(0, 10)}&to=${instant(0).slice(0, 10)}`
  const events = await seedEvents(client, eventSessions)
  const began = performance.now()
  const pending = async () =>
    Number(
      (await client.query<{ n: string }>('SELECT count(*) AS n FROM session_event WHERE NOT counted')).rows[0]
        ?.n,
    )
  while ((await pending()) > 0) await owner.get(`${scope}/analytics?${days}`)
  const rate = events / ((performance.now() - began) / 1000)
  const http: number[] = []
  const sql: number[] = []
  for (let round = 0; round < rounds / 2; round++) {
    const asked = performance.now()
    await owner.get(`${scope}/analytics?${days}`)
    const answered = performance.now()
    http.push(answered - asked)
    if (round % 10 > 0) continue
    await client.query(
      `SELECT created_at::date, workflow_id, status, decision_reason, count(*) FROM session
       WHERE created_at >= now() - interval '90 days' GROUP BY 1, 2, 3, 4`,
    )
    sql.push(performance.now() - answered)
  }
  return [
    `Analytics of 90 days: p50 ${percentile(http, 0.5).toFixed(1)} ms, p95 **${percentile(http, 0.95).toFixed(1)} ms** over HTTP; counting decisions alone from the sessions: p50 ${percentile(sql, 0.5).toFixed(0)} ms. Events taken into the sums: ${Math.round(rate).toLocaleString('en')} a second.`,
  ]
}

import { isAllowed, type SessionStatus, type SessionTrigger, transitions } from '@kyc/common'
import pg from 'pg'
import type { HostileReceiver } from './hostile-receiver.ts'
import type { Load } from './load.ts'

const schemas = [
  'session',
  'checks',
  'face_biometrics',
  'sanctions_screening',
  'webhook_dispatcher',
  'flow',
  'console',
]
type Event = { session_id: string; sequence: number; status: SessionStatus; previous_status: SessionStatus }
type Delivery = {
  id: string
  session_id: string
  status: string
  attempts: number
  to: string
  from: string
  numbers: number[]
}

export type Inspection = { violations: string[]; sessions: number; transitions: number; deliveries: number }

/** How many outbox rows and deliveries are still pending; null if the database is unreachable. */
export async function underWay(databaseUrl: string): Promise<number | null> {
  const parts = [
    ...schemas.map((schema) => `(SELECT count(*) FROM ${schema}.outbox WHERE sent_at IS NULL)`),
    `(SELECT count(*) FROM webhook_dispatcher.delivery WHERE status IN ('pending', 'delivering'))`,
    `(SELECT count(*) FROM session.session WHERE status = 'processing')`,
  ]
  return asked(databaseUrl, async (client) => {
    const { rows } = await client.query<{ count: number }>(`SELECT (${parts.join(' + ')})::int AS count`)
    return rows[0]?.count ?? 0
  }).catch(() => null)
}

/** The checker that runs after every fault: compares what the clients were told with the data of every service. */
export async function inspect(
  databaseUrl: string,
  load: Load,
  receiver: HostileReceiver,
): Promise<Inspection> {
  const violations = [...load.complaints]
  const ids = load.journeys.map(({ session_id }) => session_id)
  return asked(databaseUrl, async (client) => {
    const sessions = await sessionsOf(client, ids)
    const events = groupBy(await eventsOf(client, ids), ({ session_id }) => session_id)
    const deliveries = groupBy(await deliveriesOf(client, ids), ({ session_id }) => session_id)
    const decided = await countsOf(client, 'session.decision', ids)
    const reviewed = await countsOf(client, 'session.review', ids)
    for (const journey of load.journeys) {
      const { session_id } = journey
      const say = (what: string) => violations.push(`${session_id}: ${what}`)
      const session = sessions.get(session_id)
      if (session === undefined) {
        say('was acknowledged and is not there')
        continue
      }
      if (session.status !== journey.wanted)
        say(`was acknowledged as ${journey.wanted} and is ${session.status}`)
      if (journey.purged !== session.purged) say('its purge was acknowledged and did not happen')
      const told = events.get(session_id) ?? []
      checkHistory(told, session, say)
      // A purge ends a session that waits for review; that is not a review.
      const count = (from: SessionStatus) =>
        told.filter((event) => event.previous_status === from && event.status !== 'expired').length
      if ((decided.get(session_id) ?? 0) !== count('processing')) say('decisions are not one a transition')
      if ((reviewed.get(session_id) ?? 0) !== count('in_review')) say('reviews are not one a transition')
      checkDeliveries(told, deliveries.get(session_id) ?? [], receiver, say)
    }
    violations.push(...(await approvedWithoutPassing(client, ids)), ...(await brokenAudit(client)))
    if (receiver.badSignatures() > 0) violations.push(`${receiver.badSignatures()} signatures did not verify`)
    if (receiver.redirected() > 0) violations.push(`${receiver.redirected()} redirects were followed`)
    const sum = (groups: Map<string, unknown[]>) =>
      [...groups.values()].reduce((total, group) => total + group.length, 0)
    return { violations, sessions: ids.length, transitions: sum(events), deliveries: sum(deliveries) }
  })
}

/** One event per transition, in order, each transition permitted, the last one equal to the session's status. */
function checkHistory(
  told: readonly Event[],
  session: { status: SessionStatus; sequence: number },
  say: (what: string) => void,
): void {
  let status: SessionStatus = 'not_started'
  for (const [index, event] of told.entries()) {
    if (event.sequence !== index + 1) say(`transition ${index + 1} was told as ${event.sequence}`)
    if (event.previous_status !== status) say(`went on from ${event.previous_status}, being ${status}`)
    if (!inTable(event)) say(`${event.previous_status} to ${event.status} is not in the table`)
    status = event.status
  }
  if (told.length !== session.sequence) say(`${session.sequence} transitions, ${told.length} events`)
  if (status !== session.status) say(`is ${session.status}, last told as ${status}`)
}

const triggers = new Set<SessionTrigger>(transitions.map(({ trigger }) => trigger))
const inTable = ({ previous_status, status }: Event): boolean =>
  [...triggers].some((trigger) => isAllowed(previous_status, trigger, status))

/** One delivery per event, delivered and received, with its attempts counted correctly. */
function checkDeliveries(
  told: readonly Event[],
  deliveries: readonly Delivery[],
  receiver: HostileReceiver,
  say: (what: string) => void,
): void {
  const key = (from: string, to: string) => `${from}>${to}`
  const wanted = told.map((event) => key(event.previous_status, event.status)).sort()
  const stored = deliveries.map((delivery) => key(delivery.from, delivery.to)).sort()
  if (wanted.join() !== stored.join()) say(`events ${wanted.join()}, deliveries ${stored.join()}`)
  for (const { id, status, attempts, numbers, from, to } of deliveries) {
    if (status !== 'delivered') say(`${key(from, to)} is ${status} after ${attempts} attempts`)
    if (numbers.some((number, index) => number !== index + 1) || numbers.length !== attempts)
      say(`${key(from, to)}: ${attempts} attempts, recorded ${numbers.join()}`)
    const received = receiver.accepted.filter((item) => item.delivery_id === id)
    if (received.length === 0) say(`${key(from, to)} never reached the receiver`)
    if (received.some(({ data }) => key(data.previous_status, data.status) !== key(from, to)))
      say(`${id} said different things`)
  }
}

async function asked<T>(databaseUrl: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: databaseUrl, connectionTimeoutMillis: 5_000 })
  client.on('error', () => undefined)
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

async function sessionsOf(client: pg.Client, ids: readonly string[]) {
  const { rows } = await client.query<{
    session_id: string
    status: SessionStatus
    sequence: number
    purged: boolean
  }>(
    `SELECT session_id, status, sequence, purged_at IS NOT NULL AS purged FROM session.session
     WHERE session_id = ANY ($1)`,
    [ids],
  )
  return new Map(rows.map((row) => [row.session_id, row]))
}

async function eventsOf(client: pg.Client, ids: readonly string[]): Promise<Event[]> {
  const { rows } = await client.query<{ payload: Event }>(
    `SELECT payload FROM session.outbox WHERE name = 'session.status_changed' AND ordering_key = ANY ($1)
     ORDER BY seq`,
    [ids],
  )
  return rows.map(({ payload }) => payload)
}

async function deliveriesOf(client: pg.Client, ids: readonly string[]): Promise<Delivery[]> {
  const { rows } = await client.query<Delivery>(
    `SELECT id, session_id, status, attempts, data->>'status' AS to, data->>'previous_status' AS from,
       ARRAY(SELECT number FROM webhook_dispatcher.delivery_attempt WHERE delivery_id = delivery.id
             ORDER BY number) AS numbers
     FROM webhook_dispatcher.delivery WHERE session_id = ANY ($1)`,
    [ids],
  )
  return rows
}

async function countsOf(client: pg.Client, table: string, ids: readonly string[]) {
  const { rows } = await client.query<{ session_id: string; count: number }>(
    `SELECT session_id, count(*)::int AS count FROM ${table} WHERE session_id = ANY ($1) GROUP BY session_id`,
    [ids],
  )
  return new Map(rows.map((row) => [row.session_id, row.count]))
}

/** A session approved by the decision engine rests on checks that all ran and passed. */
async function approvedWithoutPassing(client: pg.Client, ids: readonly string[]): Promise<string[]> {
  const { rows } = await client.query<{ session_id: string; kind: string; status: string }>(
    `SELECT session_id, input->>'kind' AS kind, input->>'status' AS status
     FROM session.decision, jsonb_array_elements(inputs) AS input
     WHERE session_id = ANY ($1) AND decision.status = 'approved' AND input->>'status' <> 'passed'
     UNION ALL
     SELECT decision.session_id, session_check.kind, session_check.status
     FROM session.decision JOIN session.session_check USING (session_id)
     WHERE session_id = ANY ($1) AND decision.status = 'approved'
       AND (session_check.status <> 'passed' OR NOT session_check.final)`,
    [ids],
  )
  return rows.map((row) => `${row.session_id}: approved with ${row.kind} ${row.status}`)
}

/** The chain of the audit log has no gap, and no session has two entries for its review. */
async function brokenAudit(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ seq: string; prev_hash: string; hash: string }>(
    'SELECT seq, prev_hash, hash FROM console.audit_entry ORDER BY seq',
  )
  const violations: string[] = []
  let before = '0'.repeat(64)
  for (const [index, row] of rows.entries()) {
    if (Number(row.seq) !== index + 1 || row.prev_hash !== before)
      violations.push(`the audit chain breaks at ${row.seq}`)
    before = row.hash
  }
  const { rows: twice } = await client.query<{ target: string }>(
    `SELECT target FROM console.audit_entry WHERE action = 'session.reviewed' GROUP BY target HAVING count(*) > 1`,
  )
  return [...violations, ...twice.map(({ target }) => `${target} was audited as reviewed twice`)]
}

function groupBy<T>(items: readonly T[], key: (item: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>()
  for (const item of items) groups.set(key(item), [...(groups.get(key(item)) ?? []), item])
  return groups
}

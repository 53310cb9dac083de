import { KycError } from '../errors.ts'
import type { Decision, Operations } from '../generated/types.ts'
import { type Context, text, UsageError } from './context.ts'
import { showRecord, showRows } from './output.ts'

type Target = Operations['advanceTestSession']['body']['to']
const settled = ['approved', 'declined', 'in_review']
const pollMs = 250
const patienceMs = 60_000

/**
 * `kyc trigger [SCENARIO]`: runs a session through the real state machine to the scenario's outcome; without one, lists
 * the scenarios.
 */
export async function trigger(context: Context): Promise<void> {
  const { kyc, output } = context
  const { data } = await kyc.test.scenarios()
  const [name] = context.positionals
  if (name === undefined) {
    const rows = data.map(({ outcome, ...rest }) => ({ ...rest, ...outcome }))
    showRows(output, rows, ['scenario', 'status', 'decision_reason', 'description'])
    return
  }
  const scenario = data.find((item) => item.scenario === name)
  if (!scenario)
    throw new UsageError(`no such scenario; there are ${data.map((item) => item.scenario).join(', ')}`)
  const vendorData = text(context, 'vendor-data')
  const session = await kyc.sessions.create({
    metadata: { test_scenario: scenario.scenario },
    ...(vendorData === undefined ? {} : { vendor_data: vendorData }),
  })
  await kyc.test.advance(session.session_id, 'processing')
  output.note(`${session.session_id} is processing`)
  const found = await decided(context, session.session_id)
  showRecord(output, found, ['session_id', 'status', 'decision_reason'])
}

/** `kyc advance ID STATUS`: advances a session towards a status. */
export async function advance(context: Context): Promise<void> {
  const [sessionId, to] = context.positionals
  if (!sessionId || !to) throw new UsageError('SESSION_ID and STATUS are needed')
  const session = await context.kyc.test.advance(sessionId, to as Target)
  showRecord(context.output, session, ['session_id', 'status', 'decision_reason'])
}

async function decided({ kyc, signal }: Context, sessionId: string): Promise<Decision> {
  for (const end = Date.now() + patienceMs; Date.now() < end; ) {
    const found = await kyc.sessions.decision(sessionId, { signal })
    if (settled.includes(found.status)) return found
    await new Promise((resume) => setTimeout(resume, pollMs))
  }
  throw new KycError(`${sessionId} was not decided within ${patienceMs / 1000} seconds`)
}

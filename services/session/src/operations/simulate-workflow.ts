import {
  type Check,
  check as checkSchema,
  type simulateWorkflow as contract,
  notFound,
  type Simulation,
  sealContexts,
  toTimestamp,
  type WorkflowConfig,
} from '@kyc/common'
import { VaultKeyDestroyedError } from '@kyc/vault'
import type { z } from 'zod'
import { mergeParts } from '../domain/check-parts.ts'
import { decide } from '../domain/decide.ts'
import { replayChecks } from '../domain/replay-check.ts'
import { findPastDecisions, type PastDecision } from '../store/past-decisions.ts'
import { findWorkflow } from '../store/workflow-admin.ts'
import { type Operations, scopeOf } from './context.ts'

type Request = z.output<typeof contract.request>
type Difference = Simulation['differences'][number]

const mostDifferences = 200
/** Sessions opened concurrently; each needs a key from the vault. */
const batch = 20

/** Replays past sessions' findings under a changed config. Read-only. */
export async function simulateWorkflow(operations: Operations, request: Request): Promise<Simulation> {
  const { database, clock } = operations
  if (!(await findWorkflow(database, request.app_id, request.workflow_id, clock.now())))
    throw notFound('workflow')
  const past = await findPastDecisions(database, request.app_id, request.workflow_id, request.sessions)
  const replays: Replay[] = []
  for (let at = 0; at < past.length; at += batch) {
    const some = past.slice(at, at + batch)
    const done = await Promise.all(some.map((decision) => replay(operations, decision, request.config)))
    replays.push(...done.filter((item) => item !== null))
  }
  return summarize(replays)
}

type Replay = { difference: Difference; changed: boolean }

/** Null if the session was purged in the meantime. */
async function replay(
  operations: Operations,
  past: PastDecision,
  config: WorkflowConfig,
): Promise<Replay | null> {
  const checks = await openChecks(operations, past)
  if (checks === null) return null
  const replayed = replayChecks(checks, past.inputs, past.config, config)
  const inputs = replayed.flatMap(({ input }) => (input === null ? [] : [input]))
  const before = { status: past.status, decision_reason: past.decision_reason }
  // An undetermined check could change everything, so the outcome is undetermined too.
  const after = inputs.length === replayed.length ? decide(config, inputs) : null
  const statusBefore = (kind: string) => past.inputs.find((input) => input.kind === kind)?.status ?? 'absent'
  return {
    changed:
      after !== null && (after.status !== before.status || after.decision_reason !== before.decision_reason),
    difference: {
      session_id: past.session_id,
      decided_at: toTimestamp(past.decided_at),
      before,
      after,
      checks: replayed
        .map(({ kind, input }) => ({ kind, before: statusBefore(kind), after: input?.status ?? null }))
        .filter((item) => item.before !== item.after),
    },
  }
}

async function openChecks({ vault }: Operations, past: PastDecision): Promise<Check[] | null> {
  try {
    const parts = await Promise.all(
      past.checks.flatMap((row) =>
        row.sealed
          ? [
              vault
                .open(scopeOf(past), sealContexts.check_data, row.sealed)
                .then((value) => checkSchema.parse(value)),
            ]
          : [],
      ),
    )
    const kinds = [...new Set(parts.map((part) => part.kind))]
    const answered = kinds.map((kind) => mergeParts(parts.filter((part) => part.kind === kind)))
    const silent = past.inputs.filter(({ kind }) => !answered.some((check) => check.kind === kind))
    return [...answered, ...silent.map(({ kind, status }) => ({ ...unanswered, kind, status }))]
  } catch (error) {
    if (error instanceof VaultKeyDestroyedError) return null
    throw error
  }
}

/** A check that never completed; only its status is known. */
const unanswered: Omit<Check, 'kind' | 'status'> = {
  score: null,
  data: {},
  warnings: [],
  attempts: 0,
  started_at: null,
  completed_at: null,
  engine: null,
}

function summarize(replays: readonly Replay[]): Simulation {
  const count = (statuses: readonly (string | undefined)[]) => {
    const counts: Record<string, number> = {}
    for (const status of statuses) if (status !== undefined) counts[status] = (counts[status] ?? 0) + 1
    return counts
  }
  const undetermined = replays.filter(({ difference }) => difference.after === null).length
  const changed = replays.filter((item) => item.changed).length
  return {
    sessions: replays.length,
    changed,
    undetermined,
    unchanged: replays.length - changed - undetermined,
    before: count(replays.map(({ difference }) => difference.before.status)),
    after: count(replays.map(({ difference }) => difference.after?.status)),
    differences: replays
      .filter((item) => item.changed || item.difference.after === null)
      .map((item) => item.difference)
      .slice(0, mostDifferences),
  }
}

import type { Check, CheckKind, CheckStatus, WorkflowConfig } from '@kyc/common'

/**
 * The parts that a kind of check needs before it is final: '' for most, one per contributing service for `duplicate`.
 */
export function partsOf(kind: CheckKind, config: WorkflowConfig): readonly string[] {
  if (kind !== 'duplicate') return ['']
  return config.steps.liveness.enabled ? ['document', 'face'] : ['document']
}

/** Worst first, because a finding of one part is not cancelled by another part that found nothing. */
const gravity: readonly CheckStatus[] = ['failed', 'error', 'warning', 'pending', 'skipped', 'passed']

export const worstStatus = (statuses: readonly CheckStatus[]): CheckStatus =>
  gravity.find((status) => statuses.includes(status)) ?? 'pending'

/**
 * Merges the parts of one kind into the single check that a decision shows: worst status, highest score, all
 * findings.
 */
export function mergeParts(parts: readonly Check[]): Check {
  const [first, ...rest] = parts
  if (!first) throw new Error('a check has at least one part')
  return rest.reduce(mergeTwo, first)
}

function mergeTwo(whole: Check, part: Check): Check {
  return {
    ...whole,
    status: worstStatus([whole.status, part.status]),
    score: highest(whole.score, part.score),
    data: mergeData(whole.data, part.data),
    warnings: [...whole.warnings, ...part.warnings],
    attempts: Math.max(whole.attempts, part.attempts),
    started_at: earliest(whole.started_at, part.started_at),
    completed_at: latest(whole.completed_at, part.completed_at),
    engine: part.engine ?? whole.engine,
  }
}

/** Concatenates lists. For any other value, the first one that is neither null nor undefined wins. */
function mergeData(a: Check['data'], b: Check['data']): Check['data'] {
  const merged: Check['data'] = { ...a }
  for (const [key, value] of Object.entries(b)) {
    const known = merged[key]
    merged[key] = Array.isArray(known) && Array.isArray(value) ? [...known, ...value] : (known ?? value)
  }
  return merged
}

const highest = (a: number | null, b: number | null) => (a === null ? b : b === null ? a : Math.max(a, b))
const earliest = (a: string | null, b: string | null) => (a === null || (b !== null && b < a) ? b : a)
const latest = (a: string | null, b: string | null) => (a === null || (b !== null && b > a) ? b : a)

import type { ConfigChange } from './console-workflow.ts'
import type { WorkflowConfig } from './workflow.ts'

const isPlain = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** JSON with sorted keys, so that equal values have equal text. */
const textOf = (value: unknown): string =>
  JSON.stringify(value, (_key, item: unknown) =>
    isPlain(item) ? Object.fromEntries(Object.entries(item).sort(([a], [b]) => (a < b ? -1 : 1))) : item,
  ) ?? 'undefined'

/** Every field in which two configs differ, by its path. A list is compared as one value; an absent field is null. */
export function compareConfigs(before: WorkflowConfig, after: WorkflowConfig): ConfigChange[] {
  return compare(before, after, [])
}

function compare(before: unknown, after: unknown, path: readonly string[]): ConfigChange[] {
  if (isPlain(before) && isPlain(after)) {
    const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])].sort()
    return keys.flatMap((key) => compare(before[key], after[key], [...path, key]))
  }
  if (textOf(before) === textOf(after)) return []
  return [{ path: path.join('.'), before: before ?? null, after: after ?? null }]
}

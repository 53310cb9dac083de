import type { Action, Warning } from '@kyc/common'

/**
 * A check's status where the workflow says what findings of high severity lead to: a decline, a person's look, or
 * nothing. Codes without an action of their own decline.
 */
export function statusWithActions(
  warnings: readonly Warning[],
  actions: Readonly<Record<string, Action>>,
): 'passed' | 'warning' | 'failed' {
  let status: 'passed' | 'warning' | 'failed' = 'passed'
  for (const { code, severity } of warnings) {
    if (severity === 'low') continue
    const action = severity === 'medium' ? 'review' : (actions[code] ?? 'decline')
    if (action === 'decline') return 'failed'
    if (action === 'review') status = 'warning'
  }
  return status
}

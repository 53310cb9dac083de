import type { Action, Warning } from '@kyc/common'

/**
 * A check's status by the workflow's actions for high-severity findings: decline, review, or nothing. Codes without an
 * action decline.
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

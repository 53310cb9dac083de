import type { Metrics } from '@kyc/runtime'

export type Measures = {
  moves: ReturnType<Metrics['counter']>
  checks: ReturnType<Metrics['counter']>
  decisions: ReturnType<Metrics['histogram']>
}

/** Metrics about sessions. Incremented on write, so a transition that is rolled back may be counted too. */
export const measuresOf = (metrics: Metrics): Measures => ({
  moves: metrics.counter('session_transitions_total', 'Changes of status, by the new one and its reason', [
    'status',
    'reason',
  ]),
  checks: metrics.counter('session_checks_total', 'Final outcomes of checks', ['kind', 'status']),
  decisions: metrics.histogram(
    'session_decision_seconds',
    'From the submission to the decision',
    [],
    [0.5, 1, 2.5, 5, 10, 20, 30, 60, 120, 300],
  ),
})

import { z } from 'zod'
import { type CheckKind, checkKind, checkStatus } from './checks.ts'
import { type DecisionReason, decisionReason, sessionStatus } from './session-state.ts'
import type { WorkflowConfig } from './workflow.ts'

/** The allowed values of `metadata.test_scenario` in a test app. */
export const testScenarioNames = [
  'approved',
  'document_expired',
  'document_blurry',
  'mrz_mismatch',
  'liveness_failed',
  'face_mismatch',
  'aml_match',
  'duplicate',
  'underage',
  'processing_error',
] as const
export const testScenarioName = z.enum(testScenarioNames)
export type TestScenarioName = z.infer<typeof testScenarioName>

const outcome = z.object({ status: sessionStatus, decision_reason: decisionReason.nullable() })

export const testScenario = z.object({
  scenario: testScenarioName,
  description: z.string(),
  /** The outcome of a session that runs this scenario. */
  outcome,
  /** The outcome when the workflow declines automatically (`decision.auto_decline`). */
  outcome_with_auto_decline: outcome,
  /** The check that causes the outcome; null when all checks pass. */
  check: z.object({ kind: checkKind, status: checkStatus, warning_code: z.string().nullable() }).nullable(),
  /** Checks that a session of this scenario runs, regardless of its workflow. */
  needs: z.array(checkKind),
})
export type TestScenario = z.infer<typeof testScenario>

type Cause = NonNullable<TestScenario['check']>

const caused = (
  scenario: TestScenarioName,
  description: string,
  decision_reason: DecisionReason,
  check: Cause,
  needs: CheckKind[],
): TestScenario => ({
  scenario,
  description,
  outcome: { status: 'in_review', decision_reason },
  outcome_with_auto_decline: {
    status: check.status === 'failed' ? 'declined' : 'in_review',
    decision_reason,
  },
  check,
  needs,
})

const cause = (kind: CheckKind, status: Cause['status'], warning_code: string | null): Cause => ({
  kind,
  status,
  warning_code,
})

const approved = { status: 'approved', decision_reason: null } as const

/** The effect of each scenario. Each checker simulates its own checks; the engine makes the decision. */
export const testScenarios: readonly TestScenario[] = [
  {
    scenario: 'approved',
    description: 'Every check passes.',
    outcome: approved,
    outcome_with_auto_decline: approved,
    check: null,
    needs: [],
  },
  caused(
    'document_expired',
    'The document expired a year ago.',
    'document_expired',
    cause('document', 'failed', 'document_expired'),
    ['document'],
  ),
  caused(
    'document_blurry',
    'The photo is refused as blurry until the last attempt, which is accepted with its warnings.',
    'document_unreadable',
    cause('document', 'warning', 'image_blurry'),
    ['document'],
  ),
  caused(
    'mrz_mismatch',
    'The printed number is not the one in the machine readable zone.',
    'document_inconsistent',
    cause('document', 'warning', 'mrz_visual_mismatch'),
    ['document'],
  ),
  caused(
    'liveness_failed',
    'The frames do not show a live person.',
    'liveness_failed',
    cause('liveness', 'failed', 'challenge_failed'),
    ['consent', 'liveness'],
  ),
  caused(
    'face_mismatch',
    'The face is not the one on the document.',
    'face_mismatch',
    cause('face_match', 'failed', 'face_mismatch'),
    ['consent', 'document', 'liveness', 'face_match'],
  ),
  caused(
    'aml_match',
    'The name has a match on an invented list.',
    'aml_potential_match',
    cause('aml', 'warning', 'aml_potential_match'),
    ['document', 'aml'],
  ),
  caused(
    'duplicate',
    'The document was seen before in an invented session.',
    'duplicate_document',
    cause('duplicate', 'warning', 'duplicate_document'),
    ['document', 'duplicate'],
  ),
  caused(
    'underage',
    'The document says 15 years of age.',
    'underage',
    cause('age', 'failed', 'age_below_minimum'),
    ['document', 'age'],
  ),
  caused(
    'processing_error',
    'The document cannot be judged.',
    'processing_error',
    cause('document', 'error', null),
    ['document'],
  ),
]

export const findTestScenario = (name: string | null): TestScenario | undefined =>
  testScenarios.find(({ scenario }) => scenario === name)

/** The config for a session with a scenario: its workflow's config with the scenario's checks enabled. */
export function configOfScenario(config: WorkflowConfig, name: string | null): WorkflowConfig {
  const scenario = findTestScenario(name)
  if (!scenario || scenario.needs.length === 0) return config
  const steps = structuredClone(config.steps)
  for (const kind of scenario.needs) steps[kind].enabled = true
  // With an action of `none` the finding would have no effect.
  if (scenario.scenario === 'duplicate' && steps.duplicate.document_action === 'none') {
    steps.duplicate.document_action = 'review'
  }
  // The simulated age of fifteen fails every minimum above it.
  if (scenario.scenario === 'underage') steps.age.minimum = Math.max(18, steps.age.minimum)
  return { ...config, steps }
}

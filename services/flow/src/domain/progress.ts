import { conflict, enabledSteps, type FlowStep, type StepStatus, type WorkflowConfig } from '@kyc/common'

/** The stored part of a step; the rest is derived. */
export type StepRecord = {
  step: FlowStep
  status: 'pending' | 'retry' | 'completed' | 'failed'
  attempts_used: number
  version: number
  progress: Record<string, unknown>
}

export const isRequired = (step: FlowStep, config: WorkflowConfig): boolean =>
  step === 'email' ? config.steps.email.required : true

/** A failed step is done too, because it has no attempts left and its check reports the failure. */
const isDone = (record: StepRecord | undefined) =>
  record?.status === 'completed' || record?.status === 'failed'

export const attemptsMax = (step: FlowStep, config: WorkflowConfig): number | null =>
  step === 'document' || step === 'liveness' ? config.steps[step].max_attempts : null

export type StepView = {
  key: FlowStep
  status: StepStatus
  required: boolean
  record: StepRecord | undefined
}

/** Every enabled step in order. A step is locked until all required steps before it are done. */
export function viewSteps(config: WorkflowConfig, records: readonly StepRecord[]): StepView[] {
  let open = true
  return enabledSteps(config).map((key) => {
    const record = records.find((item) => item.step === key)
    const required = isRequired(key, config)
    const status: StepStatus = record?.status ?? (open ? 'pending' : 'locked')
    if (required && !isDone(record)) open = false
    return { key, status: open || record || status !== 'locked' ? status : 'locked', required, record }
  })
}

/** The first step that still needs input, required or optional. */
export const currentStep = (steps: readonly StepView[]): FlowStep | null =>
  steps.find((step) => step.status === 'pending' || step.status === 'retry')?.key ?? null

export const missingSteps = (steps: readonly StepView[]): FlowStep[] =>
  steps.filter((step) => step.required && !isDone(step.record)).map((step) => step.key)

/** Throws unless the step is open. */
export function assertOpen(step: FlowStep, steps: readonly StepView[]): StepView {
  const view = steps.find((item) => item.key === step)
  if (!view) throw conflict(`The ${step} step is not part of this session.`)
  if (view.status === 'locked') {
    throw conflict(`The ${step} step comes later; missing before it: ${missingSteps(steps).join(', ')}.`)
  }
  if (view.status === 'completed' || view.status === 'failed') throw conflict(`The ${step} step is done.`)
  return view
}

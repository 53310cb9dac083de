import type { FlowState, FlowStep, FlowStepOptions } from '@kyc/common'
import type { ComponentType } from 'preact'
import { useApp } from '../app/context.ts'
import { ConsentStep } from './consent/consent-step.tsx'
import { DocumentStep } from './document/document-step.tsx'
import { EmailStep } from './email/email-step.tsx'
import { LivenessStep } from './liveness/liveness-step.tsx'

/** Props of a step's page: the server's view of the step, with the options of its kind. */
export type StepProps<K extends FlowStep> = Omit<FlowState['steps'][number], 'options'> & {
  options: FlowStepOptions[K]
}

/** The registry of steps. To add a step, add a folder here and an entry in this table. */
const pages: { [K in FlowStep]: ComponentType<StepProps<K>> } = {
  consent: ConsentStep,
  email: EmailStep,
  document: DocumentStep,
  liveness: LivenessStep,
}

export function StepPage<K extends FlowStep>({ step }: { step: K }) {
  const { flow } = useApp()
  const found = flow?.steps.find(({ key }) => key === step)
  if (!found) return null
  const Page: ComponentType<StepProps<K>> = pages[step]
  // The contract types the options per step; on the wire they are one record.
  return <Page {...found} options={found.options as FlowStepOptions[K]} />
}

import { submittedWorkflowConfig } from '@kyc/common/workflow'
import { z } from 'zod'

/** The contract's own schema validates every field, so that page and server cannot disagree. */
export const formSchema = z.object({
  name: z.string().trim().min(1, 'must not be empty').max(120),
  config: submittedWorkflowConfig,
})
export type FormInput = z.input<typeof formSchema>
export type FormOutput = z.output<typeof formSchema>

import { submittedWorkflowConfig } from '@kyc/common/workflow'
import { z } from 'zod'

/** The contract's own schema judges every field, so the page and the server cannot disagree. */
export const formSchema = z.object({
  name: z.string().trim().min(1, 'must not be empty').max(120),
  config: submittedWorkflowConfig,
})
export type FormInput = z.input<typeof formSchema>
export type FormOutput = z.output<typeof formSchema>

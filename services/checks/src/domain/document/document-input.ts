import type { DocumentType, WorkflowConfig } from '@kyc/common'
import type { CapturedSide } from './side-reading.ts'

export interface DocumentInput {
  /** At least one: the newest capture of each side. */
  readonly sides: readonly CapturedSide[]
  /** The type that the person selected. */
  readonly declaredType: DocumentType | null
  readonly declaredCountry: string | null
  readonly config: WorkflowConfig['steps']['document']
  readonly today: Date
}

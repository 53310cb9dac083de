import type { FlowStep } from '@kyc/common'
import type { MessageKey } from '../i18n/catalogue.ts'

/** Titles of the steps in lists. */
export const stepTitles: Record<FlowStep, MessageKey> = {
  consent: 'step_consent',
  email: 'step_email',
  document: 'step_document',
  liveness: 'step_liveness',
}

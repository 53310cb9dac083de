import type { DocumentType } from '@kyc/common'

export const documentTypes = [
  'passport',
  'identity_card',
  'driving_licence',
  'residence_permit',
  'visa',
  'aadhaar',
  'pan_card',
  'voter_id',
] as const satisfies readonly DocumentType[]

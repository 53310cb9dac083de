import { z } from 'zod'

export const documentTypes = [
  'passport',
  'identity_card',
  'driving_licence',
  'residence_permit',
  'visa',
  'aadhaar',
  'pan_card',
  'voter_id',
] as const
export const documentType = z.enum(documentTypes)
export type DocumentType = z.infer<typeof documentType>

/** In order of precedence; the first valid source is used. */
export const identitySources = ['secure_qr', 'mrz', 'barcode', 'visual', 'reviewer'] as const
export type IdentitySource = (typeof identitySources)[number]

/** Always has all seven keys; unknown values are null. Personal. */
export const identity = z.object({
  full_name: z.string().nullable(),
  date_of_birth: z.string().nullable(),
  nationality: z.string().nullable(),
  document_type: z.string().nullable(),
  document_number_masked: z.string().nullable(),
  expiry_date: z.string().nullable(),
  sources: z.record(z.string(), z.enum(identitySources)),
})
export type Identity = z.infer<typeof identity>

export const emptyIdentity: Identity = {
  full_name: null,
  date_of_birth: null,
  nationality: null,
  document_type: null,
  document_number_masked: null,
  expiry_date: null,
  sources: {},
}

/** Masks the last 4 characters, or half of a number shorter than 8: `L898902C3` becomes `L8989****`. */
export function maskDocumentNumber(number: string): string {
  const hidden = number.length < 8 ? Math.ceil(number.length / 2) : 4
  return number.slice(0, number.length - hidden) + '*'.repeat(hidden)
}

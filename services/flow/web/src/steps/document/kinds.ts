import type { DocumentType } from '@kyc/common'

const everywhere: readonly DocumentType[] = [
  'passport',
  'identity_card',
  'driving_licence',
  'residence_permit',
  'visa',
]
const ofIndia: readonly DocumentType[] = ['aadhaar', 'pan_card', 'voter_id']

/** The kinds that the workflow accepts and the country issues; `null` is a country that is not listed. */
export function kindsFor(country: string | null, allowed: readonly DocumentType[]): DocumentType[] {
  // India issues no document called identity card.
  const issued =
    country === 'IND' ? [...ofIndia, ...everywhere.filter((kind) => kind !== 'identity_card')] : everywhere
  return issued.filter((kind) => allowed.length === 0 || allowed.includes(kind))
}

/** A booklet is photographed open at its data page; every other document is a card. */
export const isBooklet = (kind: DocumentType): boolean => kind === 'passport' || kind === 'visa'

import type { AmlQuery, Identity } from '@kyc/common'

/** The screening query for a person's extracted identity. */
export const toAmlQuery = (identity: Identity): AmlQuery => ({
  full_name: identity.full_name ?? '',
  date_of_birth: identity.date_of_birth ?? undefined,
  nationality: identity.nationality ?? undefined,
})

import { type Action, type Warning, warningOf } from '@kyc/common'
import { statusWithActions } from '../status-with-actions.ts'
import { isPrivateAddress, maskAddress, normalizeAddress } from './address.ts'

/** What the installed databases contain about an address; null or false when they contain nothing. */
export interface AddressFacts {
  /** ISO 3166-1 alpha-3. */
  readonly country: string | null
  readonly asn: number | null
  readonly hosting: boolean
  readonly anonymizer: boolean
}

export interface IpInput {
  /** As the flow received it; null when unknown. */
  readonly address: string | null
  readonly lookUp: (address: string) => AddressFacts
  /** Issuing state of the document, alpha-3; null when unknown. */
  readonly documentCountry: string | null
  /** Sessions of the app from this address in the last 24 hours, this one included. */
  readonly sessionsFromAddress24h: number
  /** Whether the person used another address in an earlier round. */
  readonly changed: boolean
  readonly config: { readonly country_mismatch_action: Action; readonly anonymizer_action: Action }
}

export interface IpResult {
  readonly status: 'passed' | 'warning' | 'failed'
  readonly data: Record<string, unknown>
  readonly warnings: Warning[]
}

/** From this many sessions per day, an address is reported as reused; families and offices stay below. */
const REUSED_FROM = 5

/** Evaluates the client address with the databases installed with the service. */
export function ipCheck(input: IpInput): IpResult {
  const address = input.address === null ? null : normalizeAddress(input.address)
  const unknown: AddressFacts = { country: null, asn: null, hosting: false, anonymizer: false }
  const isPrivate = address !== null && isPrivateAddress(address)
  const facts = address === null || isPrivate ? unknown : input.lookUp(address)
  const match =
    facts.country === null || input.documentCountry === null ? null : facts.country === input.documentCountry
  const warnings: Warning[] = []
  const add = (
    code: Parameters<typeof warningOf<'ip'>>[1],
    message: string,
    details?: Record<string, unknown>,
  ) => warnings.push(warningOf('ip', code, message, details ? { details } : {}))
  if (isPrivate)
    add('ip_private', 'The address is a private one: the service stands behind a proxy that hides it.')
  else if (facts.country === null) add('ip_country_unknown', 'The country of the address is not known.')
  if (match === false) {
    add('ip_country_mismatch', 'The address is not in the country that issued the document.', {
      country: facts.country,
      document_country: input.documentCountry,
    })
  }
  if (facts.anonymizer) add('ip_anonymizer', 'The address belongs to an anonymising service.')
  if (facts.hosting) add('ip_hosting', 'The address belongs to a hosting provider.')
  if (input.sessionsFromAddress24h >= REUSED_FROM) {
    add('ip_reused', 'Several sessions came from this address within a day.', {
      sessions: input.sessionsFromAddress24h,
    })
  }
  if (input.changed) add('ip_changed', 'The person came from another address before.')
  return {
    status: statusWithActions(warnings, {
      ip_country_mismatch: input.config.country_mismatch_action,
      ip_anonymizer: input.config.anonymizer_action,
    }),
    data: {
      address_masked: address === null ? null : maskAddress(address),
      country: facts.country,
      asn: facts.asn,
      document_country_match: match,
      sessions_from_address_24h: input.sessionsFromAddress24h,
    },
    warnings,
  }
}

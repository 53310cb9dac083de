import type { CheckKind, CheckStatus, SessionStatus } from '@kyc/common'
import type { Tone } from '../ui/badge.tsx'

/** Codes for which sentence case gives the wrong result. */
const spelled: Record<string, string> = {
  aml: 'Sanctions (AML)',
  ip: 'IP address',
  mrz: 'MRZ',
  email: 'E-mail',
  api: 'API',
  api_key: 'API key',
  pan_card: 'PAN card',
  aml_potential_match: 'Possible sanctions match',
  aml_confirmed_match: 'Confirmed sanctions match',
  aml_unavailable: 'Sanctions screening unavailable',
  ip_risk: 'IP address risk',
  ip_country_mismatch: 'IP country differs from document',
  manual_review_declined: 'Declined by a person',
  manual_review_required: 'Review required',
  us_ofac_sdn: 'US OFAC SDN',
  us_ofac_cons: 'US OFAC consolidated',
  un_sc: 'UN Security Council',
  eu_fsf: 'EU financial sanctions',
  uk_sanctions: 'UK sanctions',
}

/** Formats `face_match_inconclusive` as "Face match inconclusive". */
export function wordsOfCode(code: string): string {
  const known = spelled[code]
  if (known) return known
  const text = code
    .replace(/[._]/g, ' ')
    .replace(/\bmrz\b/g, 'MRZ')
    .replace(/\baml\b/g, 'AML')
    .replace(/\bip\b/g, 'IP')
    .replace(/\bapi\b/g, 'API')
    .replace(/\bqr\b/g, 'QR')
  return text.charAt(0).toUpperCase() + text.slice(1)
}

export const statusTone: Record<SessionStatus, Tone> = {
  not_started: 'plain',
  in_progress: 'info',
  processing: 'info',
  approved: 'ok',
  declined: 'bad',
  in_review: 'warn',
  expired: 'plain',
  abandoned: 'plain',
}

export const checkTone: Record<CheckStatus, Tone> = {
  pending: 'info',
  passed: 'ok',
  warning: 'warn',
  failed: 'bad',
  skipped: 'plain',
  error: 'bad',
}

export const severityTone = { low: 'plain', medium: 'warn', high: 'bad' } as const

export const checkName: Record<CheckKind, string> = {
  consent: 'Consent',
  email: 'E-mail',
  document: 'Document',
  liveness: 'Liveness',
  face_match: 'Face match',
  aml: 'Sanctions (AML)',
  age: 'Age',
  duplicate: 'Duplicates',
  ip: 'IP address',
}

const numbers = new Intl.NumberFormat('en')
export const formatNumber = (value: number): string => numbers.format(value)
/** Formats a score from 0 to 1 with two decimals, or three if needed, because thresholds can have three. */
export const formatScore = (score: number): string => score.toFixed(3).replace(/0$/, '')
export const formatShare = (share: number | null): string =>
  share === null ? '–' : `${(share * 100).toFixed(share > 0 && share < 0.1 ? 1 : 0)} %`

/** Formats `95` as "1 min 35 s". */
export function formatSeconds(seconds: number | null): string {
  if (seconds === null) return '–'
  if (seconds < 60) return `${seconds < 10 ? seconds.toFixed(1).replace(/\.0$/, '') : Math.round(seconds)} s`
  const minutes = Math.floor(seconds / 60)
  if (minutes < 60) return `${minutes} min ${Math.round(seconds % 60)} s`
  const hours = Math.floor(minutes / 60)
  return hours < 48 ? `${hours} h ${minutes % 60} min` : `${Math.floor(hours / 24)} d ${hours % 24} h`
}

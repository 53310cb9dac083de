import type { AmlMatch, Check, CheckKind } from '@kyc/common'

/** The content of `data` of each check, as in the contracts; a purged check has none. */
type Data = {
  document: {
    document_type?: string | null
    issuing_state?: string | null
    format?: string | null
    mrz_valid?: boolean | null
    check_digits?: Record<string, boolean | null>
    cross_checks?: { field: string; mrz: string | null; visual: string | null; match: boolean | null }[]
    quality?: Record<string, unknown>
  }
  aml: {
    matches?: AmlMatch[]
    lists?: { list: string; version: string; status: string }[]
    screened_name?: string | null
    threshold?: number
  }
  duplicate: {
    document_matches?: { session_id: string; status: string }[]
    face_matches?: { session_id: string; similarity: number; status: string }[]
  }
  face_match: { threshold?: number }
  liveness: { method?: string }
}

export const dataOf = <K extends keyof Data>(check: Check | undefined, _kind: K): Data[K] =>
  (check?.data ?? {}) as Data[K]

export const checkOf = (checks: readonly Check[], kind: CheckKind) =>
  checks.find((check) => check.kind === kind)

export const amlMatchesOf = (checks: readonly Check[]): AmlMatch[] =>
  dataOf(checkOf(checks, 'aml'), 'aml').matches ?? []

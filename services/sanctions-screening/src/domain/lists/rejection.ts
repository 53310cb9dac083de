/** Why a list file was rejected. The codes are stable, because the list status, metrics and alerts contain them. */
export type RejectionCode =
  | 'empty'
  | 'html'
  | 'not_recognised'
  | 'encoding'
  | 'doctype'
  | 'not_well_formed'
  | 'truncated'
  | 'schema'
  | 'too_large'
  | 'archive'
  | 'missing_part'
  | 'no_entities'
  | 'duplicate_ids'
  | 'too_many_unreadable'
  | 'count_mismatch'
  | 'implausible_change'
  | 'future'
  | 'older'
  | 'superseded'
  | 'wrong_list'
  | 'unreadable'
  | 'not_signed'

export class ListRejectedError extends Error {
  readonly code: RejectionCode

  constructor(code: RejectionCode, message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'ListRejected'
    this.code = code
  }
}

/** MRZ layouts: ICAO 9303 parts 4 to 7, and the French identity card issued until 2021. */
export type MrzFormat = 'td1' | 'td2' | 'td3' | 'mrv_a' | 'mrv_b' | 'fra_id'

/** One changed character. `line` and `position` count from 0 in the repaired `lines`. */
export interface MrzCorrection {
  line: number
  position: number
  field: string
  /** What was read; empty where a filler was missing. */
  from: string
  /** What it was changed to; empty where a surplus character was dropped. */
  to: string
}

/** True where the digit holds, null where the layout has no such digit. */
export interface MrzCheckDigits {
  document_number: boolean | null
  birth_date: boolean | null
  expiry_date: boolean | null
  optional_data: boolean | null
  composite: boolean | null
}

/** The response of POST /v1/checks/mrz, field by field. */
export interface MrzDocument {
  format: MrzFormat
  document_code: string
  issuing_state: string
  surname: string
  given_names: string
  document_number: string
  nationality: string
  /** Six characters YYMMDD as printed, fillers included. */
  birth_date_raw: string
  expiry_date_raw: string
  /** YYYY-MM-DD, null when unknown or not a calendar date. */
  birth_date: string | null
  expiry_date: string | null
  sex: 'M' | 'F' | 'X'
  optional_data: string | null
  optional_data_2: string | null
  check_digits: MrzCheckDigits
  valid: boolean
  lines: string[]
  corrections: MrzCorrection[]
}

export interface MrzOptions {
  /** The day two-digit years are resolved against; default the present day (UTC). */
  today?: Date
  /** False takes the characters as they are: no correction, only locating and splitting. Default true. */
  correct?: boolean
}

export interface MrzResult {
  /** The public answer, exactly as the interface documents it. */
  document: MrzDocument
  /** 0 to 1: probability, under the confusion model, that the characters a check digit covers are read right. */
  confidence: number
}

/** MRZ layouts: ICAO 9303 parts 4 to 7, and the French identity card issued until 2021. */
export type MrzFormat = 'td1' | 'td2' | 'td3' | 'mrv_a' | 'mrv_b' | 'fra_id'

/** One changed character. `line` and `position` count from 0 in the corrected `lines`. */
export interface MrzCorrection {
  line: number
  position: number
  field: string
  /** The character read; empty where a filler was missing. */
  from: string
  /** The replacement; empty where a surplus character was dropped. */
  to: string
}

/** True when the digit is valid, null when the layout has no such digit. */
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
  /** The reference day for two-digit years; defaults to the current day (UTC). */
  today?: Date
  /** False disables correction: the characters are only located and split. Default true. */
  correct?: boolean
}

export interface MrzResult {
  /** The public response, exactly as the API documents it. */
  document: MrzDocument
  /**
   * Probability, under the confusion model, that the characters covered by a check digit are read correctly, 0 to 1.
   */
  confidence: number
}

import { createHash } from 'node:crypto'
import type { SideReading } from './document/side-reading.ts'
import type { DocumentMatch } from './duplicate/duplicate-check.ts'
import { checkDigit } from './mrz/check-digit.ts'
import { todayOf } from './mrz/dates.ts'
import { td3 } from './mrz/layouts.ts'
import { readLines } from './mrz/read-lines.ts'

const DAY_MS = 86_400_000

const pad = (n: number) => String(n).padStart(2, '0')
const yymmdd = (date: Date) =>
  `${pad(date.getUTCFullYear() % 100)}${pad(date.getUTCMonth() + 1)}${pad(date.getUTCDate())}`
const yearsFrom = (today: Date, years: number) =>
  new Date(today.getTime() + Math.round(years * 365.25) * DAY_MS)
const withDigit = (field: string) => field + checkDigit(field)

/**
 * The scripted reading of a test session, whatever its photos show: an invented passport, evaluated with the same rules
 * as a real one. Its number is derived from the session, so that two test sessions are not duplicates.
 */
export function scenarioReading(scenario: string, sessionId: string, today: Date): SideReading {
  const number = `T${createHash('sha256').update(sessionId).digest('hex').slice(0, 8).toUpperCase()}`
  const birth = yymmdd(yearsFrom(today, scenario === 'underage' ? -15 : -34))
  const expiry = yearsFrom(today, scenario === 'document_expired' ? -1 : 5)
  const head = `${withDigit(number)}UTO${withDigit(birth)}F${withDigit(yymmdd(expiry))}`
  const optional = withDigit('<'.repeat(14))
  const composite = checkDigit(`${head.slice(0, 10)}${head.slice(13, 20)}${head.slice(21)}${optional}`)
  const lines = ['P<UTOTESTPERSON<<ALEX'.padEnd(44, '<'), `${head}${optional}${composite}`]
  const blurry = scenario === 'document_blurry'
  const print = (value: string) => ({ value, alternatives: [], confidence: 1 })
  return {
    quality: { sharpness: blurry ? 0.05 : 0.7, glare: 0, brightness: 0.7, resolution: 1, cropped: false },
    mrz: blurry
      ? null
      : {
          document: readLines(lines, td3, todayOf(today)),
          holds: true,
          doubtful: [],
          confidence: 1,
          readers: 2,
        },
    lines: [],
    visual: blurry
      ? {}
      : { document_number: print(scenario === 'mrz_mismatch' ? `X${number.slice(1)}` : number) },
    barcode: null,
  }
}

/** The other session that the scenario `duplicate` reports. */
export function scenarioMatches(scenario: string): DocumentMatch[] {
  return scenario === 'duplicate' ? [{ session_id: 'ses_testScenarioDuplicate', status: 'approved' }] : []
}

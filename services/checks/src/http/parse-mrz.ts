import { type MrzAnswer, unprocessable } from '@kyc/common'
import { parseMrz } from '../domain/mrz/index.ts'

/** POST /v1/checks/mrz: parses the MRZ in the lines. 422 when there is no MRZ of a supported layout. */
export function answerMrz(lines: readonly string[], today: Date): MrzAnswer {
  const result = parseMrz(lines, { today })
  if (result === null) throw unprocessable('no MRZ of a supported layout was found in lines')
  return result.document
}

export { parseMrz } from './parse-mrz.ts'
export { toMrzName } from './to-mrz-name.ts'
export type {
  MrzCheckDigits,
  MrzCorrection,
  MrzDocument,
  MrzFormat,
  MrzOptions,
  MrzResult,
} from './types.ts'

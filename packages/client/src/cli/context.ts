import { readFileSync } from 'node:fs'
import type { Kyc } from '../client.ts'
import { KycError } from '../errors.ts'
import type { Output } from './output.ts'

/** The dependencies and arguments of a command. */
export type Context = {
  kyc: Kyc
  output: Output
  values: Readonly<Record<string, string | boolean | undefined>>
  positionals: readonly string[]
  environment: Readonly<Record<string, string | undefined>>
  /** Aborted by Ctrl-C. */
  signal: AbortSignal
}

/** A command was called incorrectly: shown with its usage, exit code 2. */
export class UsageError extends KycError {
  override readonly name = 'UsageError'
}

export const text = (context: Context, option: string): string | undefined => {
  const value = context.values[option]
  return typeof value === 'string' ? value : undefined
}

export function required(value: string | undefined, name: string): string {
  if (value === undefined || value === '') throw new UsageError(`${name} is missing`)
  return value
}

/** Reads standard input for `-` or if no file is given. */
export const readText = (file: string | undefined): string =>
  readFileSync(file === undefined || file === '-' ? 0 : file, 'utf8')

export const readJson = (file: string): unknown => {
  try {
    return JSON.parse(readText(file))
  } catch (error) {
    throw new UsageError(`${file} could not be read as JSON: ${(error as Error).message}`)
  }
}

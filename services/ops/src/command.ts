import type { OpsContext } from './context.ts'

/** A command of the operator. */
export type Command = {
  /** The arguments after its name, for the help text. */
  usage: string
  summary: string
  /** Throws {@link UsageError} if the arguments do not match `usage`. */
  run(args: readonly string[], context: OpsContext): Promise<void>
}

/** The command was called with the wrong arguments. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

/** Splits the arguments into `--name value` and `--flag` options and the remaining ones, in order. */
export function readOptions(args: readonly string[]): { options: Record<string, string>; rest: string[] } {
  const options: Record<string, string> = {}
  const rest: string[] = []
  for (let index = 0; index < args.length; index++) {
    const argument = args[index] ?? ''
    if (!argument.startsWith('--')) {
      rest.push(argument)
      continue
    }
    const value = args[index + 1]
    const isFlag = value === undefined || value.startsWith('--')
    options[argument.slice(2)] = isFlag ? 'true' : value
    if (!isFlag) index++
  }
  return { options, rest }
}

/** The option; throws a {@link UsageError} that names it if it is missing. */
export function required(options: Record<string, string>, name: string): string {
  const value = options[name]
  if (value === undefined || value === 'true') throw new UsageError(`--${name} is needed`)
  return value
}

import type { OpsContext } from './context.ts'

/** One of the operator's commands. */
export type Command = {
  /** What follows its name, for the help. */
  usage: string
  summary: string
  /** Throws {@link UsageError} when the arguments are not those of `usage`. */
  run(args: readonly string[], context: OpsContext): Promise<void>
}

/** The command was not called as it wants to be. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

/** `--name value` and `--flag` among the arguments; the rest in order. */
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

/** The option, or a {@link UsageError} that names it. */
export function required(options: Record<string, string>, name: string): string {
  const value = options[name]
  if (value === undefined || value === 'true') throw new UsageError(`--${name} is needed`)
  return value
}

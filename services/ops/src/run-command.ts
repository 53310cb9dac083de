import { UsageError } from './command.ts'
import { commands } from './commands/index.ts'
import type { OpsContext } from './context.ts'

/** Runs one command line and returns the exit code: 0 success, 2 incorrect usage. Throws on any other failure. */
export async function runCommand(argv: readonly string[], context: OpsContext): Promise<0 | 2> {
  const [name = 'help', ...args] = argv
  const command = commands[name]
  if (!command) {
    printHelp(context)
    return name === 'help' ? 0 : 2
  }
  try {
    await command.run(args, context)
    return 0
  } catch (error) {
    if (!(error instanceof UsageError)) throw error
    context.say(`${error.message}\nusage: ${name} ${command.usage}`)
    return 2
  } finally {
    await context.close()
  }
}

function printHelp({ say }: OpsContext): void {
  say('usage: ops <command> [arguments]')
  for (const [name, { usage, summary }] of Object.entries(commands))
    say(`\n  ${name} ${usage}\n      ${summary}`)
}

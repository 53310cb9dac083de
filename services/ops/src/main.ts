import { ConfigError, createLogger } from '@kyc/runtime'
import { readConfig } from './config.ts'
import { createContext } from './context.ts'
import { runCommand } from './run-command.ts'

try {
  const context = createContext(readConfig(), {
    logger: createLogger({ service: 'ops', level: 'warn' }),
    say: (line) => process.stdout.write(`${line}\n`),
  })
  process.exitCode = await runCommand(process.argv.slice(2), context)
} catch (error) {
  const text = error instanceof Error ? error.message : String(error)
  process.stderr.write(`${error instanceof ConfigError ? text : `failed: ${text}`}\n`)
  process.exitCode = 1
}

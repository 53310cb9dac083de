import { endOnSignal } from '@kyc/host'
import { Closers, ConfigError, createLogger, logOutput } from '@kyc/runtime'
import { readConfig } from './config.ts'
import { startSystem } from './system.ts'

// As the log goes: a full disk under it is no reason not to start.
const output = logOutput()
const say = (line: string) => output.write(`${line}\n`)

try {
  const config = readConfig()
  const logger = createLogger({ service: 'standalone', level: config.LOG_LEVEL })
  const system = await startSystem(config, { logger })
  const closers = new Closers()
  closers.add('system', () => system.stop())
  endOnSignal(closers, logger)
  if (system.created) {
    say('')
    say('  First start: a test app was made. These are shown once, and kept in standalone.json:')
    say(`    API key          ${system.app.api_key}`)
    say(`    webhook secret   ${system.app.webhook_secret}`)
    say(`    console          ${config.CONSOLE_URL ?? system.app.base_url}/console`)
    say(`                     ${system.app.console.email} / ${system.app.console.password}`)
    say('')
  }
  say(`  Ready at ${system.app.base_url}`)
} catch (error) {
  const logger = createLogger({ service: 'standalone' })
  if (error instanceof ConfigError) logger.error(error.message)
  else logger.error('the system could not start', { error })
  process.exitCode = 1
}

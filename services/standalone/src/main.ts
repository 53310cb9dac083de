import { join } from 'node:path'
import { endOnSignal } from '@kyc/host'
import { Closers, ConfigError, createLogger, FolderInUseError, logOutput } from '@kyc/runtime'
import { readConfig } from './config.ts'
import { describeFirstApp } from './first-start.ts'
import { startSystem } from './system.ts'

// Uses the log's own output, because a full disk behind it must not prevent the start.
const output = logOutput()
const print = (line: string) => output.write(`${line}\n`)

try {
  const config = readConfig()
  const logger = createLogger({ service: 'standalone', level: config.LOG_LEVEL })
  const system = await startSystem(config, { logger })
  const closers = new Closers()
  closers.add('system', () => system.stop())
  endOnSignal(closers, logger)
  if (system.created) {
    const lines = describeFirstApp(system.app, {
      file: join(config.DATA_DIR, 'standalone.json'),
      consoleUrl: config.CONSOLE_URL,
      isTerminal: process.stdout.isTTY === true,
    })
    for (const line of ['', ...lines, '']) print(line)
  }
  print(`  Ready at ${system.app.base_url}`)
} catch (error) {
  const logger = createLogger({ service: 'standalone' })
  if (error instanceof ConfigError || error instanceof FolderInUseError) logger.error(error.message)
  else logger.error('the system could not start', { error })
  process.exitCode = 1
}

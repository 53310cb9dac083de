import { join } from 'node:path'
import type { FirstApp } from './first-start.ts'

type Options = { dataDir: string; consoleUrl: string | undefined; toTerminal: boolean }

/**
 * What a start prints after the log. The credentials of the first app are shown to a person at a terminal only: anywhere else,
 * standard output is a log that others collect and read.
 */
export function startLines(
  { app, created }: { app: FirstApp; created: boolean },
  options: Options,
): string[] {
  const ready = `  Ready at ${app.base_url}`
  if (!created) return [ready]
  const file = join(options.dataDir, 'standalone.json')
  if (!options.toTerminal)
    return [`  First start: created a test app. Its credentials are in ${file}.`, ready]
  return [
    '',
    `  First start: created a test app. Its credentials are shown once, and stored in ${file}:`,
    `    API key          ${app.api_key}`,
    `    webhook secret   ${app.webhook_secret}`,
    `    console          ${options.consoleUrl ?? app.base_url}/console`,
    `                     ${app.console.email} / ${app.console.password}`,
    '',
    ready,
  ]
}

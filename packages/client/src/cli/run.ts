import { parseArgs } from 'node:util'
import { Kyc } from '../client.ts'
import { ApiError, KycError } from '../errors.ts'
import { mrz, screen } from './checks.ts'
import { type Context, required, UsageError } from './context.ts'
import { listen } from './listen.ts'
import * as sessions from './sessions.ts'
import { advance, trigger } from './trigger.ts'
import { verifyReceipt } from './verify-receipt.ts'

const usage = `kyc COMMAND [options]

  create            a session and its link          --vendor-data --workflow --callback-url --metadata JSON
                                                    --email --expires-in-hours --open
  open [URL]        a new session's link, or URL, in the browser
  sessions          the newest sessions             --status --vendor-data --limit
  decision ID       the outcome with its checks
  listen            events as they come             --forward-to URL --secret whsec_…
  trigger [NAME]    a test session that ends as the scenario says; without NAME the scenarios
  advance ID TO     a test session towards a status
  verify-receipt ID                                 --keys FILE --decision FILE, or --file FILE without network
  screen NAME       against sanctions lists         --date-of-birth --nationality
  mrz [FILE]        a machine readable zone, from FILE or standard input

Every command takes --json, --api-key (or KYC_API_KEY) and --base-url (or KYC_BASE_URL, http://localhost:8080).
A key on the command line is seen by other users of the machine: prefer the environment.
`

const commands: Readonly<Record<string, (context: Context) => Promise<void>>> = {
  create: sessions.create,
  open: sessions.open,
  sessions: sessions.list,
  decision: sessions.decision,
  listen,
  trigger,
  advance,
  'verify-receipt': verifyReceipt,
  screen,
  mrz,
}

const flag = { type: 'boolean' } as const
const value = { type: 'string' } as const
const options = {
  json: flag,
  help: flag,
  open: flag,
  ...Object.fromEntries(
    [
      ...['api-key', 'base-url', 'vendor-data', 'workflow', 'callback-url', 'metadata', 'email'],
      ...['expires-in-hours', 'status', 'limit', 'forward-to', 'secret', 'keys', 'decision', 'file'],
      ...['date-of-birth', 'nationality'],
    ].map((name) => [name, value]),
  ),
}

export type Surroundings = {
  environment: Readonly<Record<string, string | undefined>>
  signal: AbortSignal
  print(line: string): void
  note(line: string): void
}

/** Runs one command and returns its exit code: 0 success, 1 rejected or failed, 2 incorrect usage. */
export async function runCommand(args: readonly string[], around: Surroundings): Promise<number> {
  try {
    const { values, positionals } = parsed(args)
    const [name, ...rest] = positionals
    if (values.help || name === undefined) {
      around.print(usage)
      return values.help ? 0 : 2
    }
    const command = Object.hasOwn(commands, name) ? commands[name] : undefined
    if (!command) throw new UsageError(`no such command: ${name}`)
    const { environment, signal, print, note } = around
    const offline = name === 'verify-receipt' && values.file !== undefined && values.keys !== undefined
    const kyc = new Kyc({
      apiKey: offline
        ? 'none'
        : required((values['api-key'] as string) ?? environment.KYC_API_KEY, 'the API key'),
      baseUrl: (values['base-url'] as string) ?? environment.KYC_BASE_URL ?? 'http://localhost:8080',
    })
    const output = { json: values.json === true, print, note }
    await command({ kyc, output, values, positionals: rest, environment, signal })
    return 0
  } catch (error) {
    return report(error, around)
  }
}

function parsed(args: readonly string[]) {
  try {
    const { values, positionals } = parseArgs({ args: [...args], allowPositionals: true, options })
    return { values: values as Record<string, string | boolean | undefined>, positionals }
  } catch (error) {
    throw new UsageError((error as Error).message)
  }
}

function report(error: unknown, { note, signal }: Surroundings): number {
  if (signal.aborted) return 0
  if (error instanceof UsageError) {
    note(`${error.message}\n\n${usage}`)
    return 2
  }
  if (error instanceof ApiError) {
    note(`${error.code}: ${error.message}${error.requestId ? ` (request ${error.requestId})` : ''}`)
    return 1
  }
  if (error instanceof KycError) {
    note(error.message)
    return 1
  }
  throw error
}

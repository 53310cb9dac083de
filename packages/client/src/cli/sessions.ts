import { spawn } from 'node:child_process'
import type { Decision, Operations } from '../generated/types.ts'
import { type Context, required, text, UsageError } from './context.ts'
import { showRecord, showRows } from './output.ts'

type Body = NonNullable<Operations['createSession']['body']>

function bodyOf(context: Context): Body {
  const metadata = text(context, 'metadata')
  const hours = text(context, 'expires-in-hours')
  const email = text(context, 'email')
  const optional = {
    workflow_id: text(context, 'workflow'),
    vendor_data: text(context, 'vendor-data'),
    callback_url: text(context, 'callback-url'),
    metadata: metadata === undefined ? undefined : parseMetadata(metadata),
    expires_in_hours: hours === undefined ? undefined : Number(hours),
    contact: email === undefined ? undefined : { email },
  }
  return Object.fromEntries(Object.entries(optional).filter(([, value]) => value !== undefined))
}

function parseMetadata(given: string): Record<string, unknown> {
  try {
    return JSON.parse(given) as Record<string, unknown>
  } catch {
    throw new UsageError('--metadata must be a JSON object')
  }
}

/** `kyc create`: creates a session and prints its link; `--open` opens it. */
export async function create(context: Context): Promise<void> {
  const session = await context.kyc.sessions.create(bodyOf(context))
  showRecord(context.output, session, ['session_id', 'status', 'url', 'expires_at'])
  if (context.values.open) openInBrowser(context, session.url)
}

/** `kyc open`: opens the link of a new session in the browser. A link is returned only once, at creation. */
export async function open(context: Context): Promise<void> {
  const [link] = context.positionals
  if (link !== undefined) {
    if (!/^https?:\/\//.test(link))
      throw new UsageError('give the url of a session, or nothing for a new one')
    openInBrowser(context, link)
    return
  }
  const session = await context.kyc.sessions.create(bodyOf(context))
  showRecord(context.output, session, ['session_id', 'url'])
  openInBrowser(context, session.url)
}

const openers: Readonly<Record<string, string>> = { darwin: 'open', win32: 'explorer' }

function openInBrowser({ output, environment }: Context, url: string): void {
  const program = environment.BROWSER || openers[process.platform] || 'xdg-open'
  // The URL is passed as one argument and never through a shell.
  const child = spawn(program, [url], { stdio: 'ignore', detached: true })
  child.on('error', () => output.note(`No browser could be started; open ${url}`))
  child.unref()
}

/** `kyc sessions`: lists the newest sessions, by status or vendor data. */
export async function list(context: Context): Promise<void> {
  const query = {
    status: text(context, 'status') as Operations['listSessions']['query']['status'],
    vendor_data: text(context, 'vendor-data'),
    page_size: Number(text(context, 'limit') ?? 25),
  }
  const { data } = await context.kyc.sessions.list(query)
  showRows(context.output, data, ['session_id', 'status', 'decision_reason', 'vendor_data', 'created_at'])
}

/** `kyc decision ID`: prints the outcome with its checks. */
export async function decision(context: Context): Promise<void> {
  const found = await context.kyc.sessions.decision(required(context.positionals[0], 'SESSION_ID'))
  showDecision(context, found)
}

function showDecision({ output }: Context, found: Decision): void {
  if (output.json) {
    output.print(JSON.stringify(found))
    return
  }
  showRecord(output, found, ['session_id', 'status', 'decision_reason', 'vendor_data', 'completed_at'])
  output.print('')
  const rows = found.checks.map((check) => ({
    ...check,
    warnings: check.warnings.map(({ code }) => code).join(', '),
  }))
  showRows(output, rows, ['kind', 'status', 'score', 'warnings'])
}

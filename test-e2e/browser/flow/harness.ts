import { existsSync } from 'node:fs'
import { expect } from '@jest/globals'
import {
  type CreatedSession,
  createWorkflow,
  openSession,
  setUpApp,
  type WorkflowConfigInput,
  workflowConfig,
} from '@kyc/common'
import { freePort, sha256Hex } from '@kyc/runtime'
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type Page,
} from 'playwright-core'
import { SMTPServer } from 'smtp-server'
import { type Api, apiClient } from '../../support/api.ts'
import { startTestSystem, type TestSystem } from '../../support/system.ts'

const candidates = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']
/** The browser on this machine; null if there is none. */
export const chromiumPath: string | null = process.env.CHROMIUM_PATH ?? candidates.find(existsSync) ?? null
if (!chromiumPath) process.stdout.write('skipped: the pages in a browser (no Chromium here)\n')

export type Device = 'phone' | 'desktop'
const devices: Record<Device, BrowserContextOptions> = {
  phone: {
    viewport: { width: 390, height: 844 },
    deviceScaleFactor: 2,
    isMobile: true,
    hasTouch: true,
    userAgent:
      'Mozilla/5.0 (Linux; Android 14; Pixel 7) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Mobile Safari/537.36',
  },
  desktop: { viewport: { width: 1280, height: 900 } },
}

/** `camera`: a file for the fake camera; `denied`: the person never allows it; `none`: the device has none. */
export function launch(camera: { file: string } | 'denied' | 'none'): Promise<Browser> {
  const fake =
    typeof camera === 'object'
      ? [
          '--use-fake-device-for-media-stream',
          '--use-fake-ui-for-media-stream',
          `--use-file-for-fake-video-capture=${camera.file}`,
        ]
      : camera === 'denied'
        ? ['--use-fake-device-for-media-stream', '--deny-permission-prompts']
        : ['--use-fake-ui-for-media-stream']
  return chromium.launch({
    executablePath: chromiumPath ?? undefined,
    args: ['--no-sandbox', '--disable-gpu', ...fake],
  })
}

export type OpenOptions = {
  device?: Device
  locale?: string
  dark?: boolean
  context?: BrowserContextOptions
}

/** A new person's browser with an empty profile. A test that inspects the page fails on errors that the page logs. */
export async function openContext(browser: Browser, options: OpenOptions = {}): Promise<BrowserContext> {
  return browser.newContext({
    ...devices[options.device ?? 'phone'],
    locale: options.locale ?? 'en-US',
    colorScheme: options.dark ? 'dark' : 'light',
    reducedMotion: 'reduce',
    ...options.context,
  })
}

/** Requests to any other host, and violations of the content security policy: there must be none. */
export function watchPage(page: Page, origin: string): string[] {
  const complaints: string[] = []
  page.on('request', (request) => {
    const { protocol, origin: to } = new URL(request.url())
    if (protocol.startsWith('http') && to !== origin) complaints.push(`request to ${to}`)
  })
  page.on('console', (message) => {
    if (/content security policy/i.test(message.text())) complaints.push(message.text())
  })
  page.on('pageerror', (error) => complaints.push(error.message))
  return complaints
}

/** Waits for the heading of a page, which must have the focus by then. */
export async function heading(page: Page, name: string | RegExp, timeout = 30_000): Promise<void> {
  await page.getByRole('heading', { level: 1, name }).waitFor({ timeout })
}

export type ReceivedMail = { to: string; raw: string }

/** A real SMTP server that stores the mails it receives; `accept` false refuses every connection. */
export async function startMailServer(port: number) {
  const mails: ReceivedMail[] = []
  let accept = true
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onConnect: (_session, done) => done(accept ? null : new Error('down')),
    onData: (stream, session, done) => {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        const to = session.envelope.rcptTo.map(({ address }) => address).join()
        mails.push({ to, raw: Buffer.concat(chunks).toString('utf8') })
        done()
      })
    },
  })
  await new Promise<void>((resume) => server.listen(port, '127.0.0.1', resume))
  return {
    mails,
    setAccepting: (value: boolean) => {
      accept = value
    },
    close: () => new Promise<void>((resume) => server.close(() => resume())),
  }
}
export type MailServer = Awaited<ReturnType<typeof startMailServer>>

type OpenSession = (config?: WorkflowConfigInput, body?: object) => Promise<CreatedSession>

export type FlowHarness = {
  system: TestSystem
  api: Api
  mail: MailServer
  /** A session with its own workflow; returns its link. */
  session: OpenSession
  /** The same for a new live app, which has no scenarios and sends real mails. */
  liveSession: OpenSession
  close(): Promise<void>
}

/** Every language, so that the person's own is included. */
const allLocales = ['en', 'hi', 'es', 'fr', 'de', 'pt', 'ar']

export async function startFlowHarness(): Promise<FlowHarness> {
  const port = await freePort()
  const mail = await startMailServer(port)
  const system = await startTestSystem({ SMTP_URL: `smtp://127.0.0.1:${port}` })
  const { bus } = system
  const api = apiClient(system.url, system.app.api_key)
  const first = await api.post<CreatedSession>('/v1/sessions', {})
  const token_sha256 = sha256Hex(first.body.session_token)
  const { app_id } = await bus.request(openSession, { token_sha256 })
  const sessionsOf =
    (app: string, client: Api): OpenSession =>
    async (config = {}, body = {}) => {
      const workflow = await bus.request(createWorkflow, {
        app_id: app,
        name: 'test',
        is_default: false,
        config: workflowConfig.parse({ locales: allLocales, ...config }),
      })
      const created = await client.post<CreatedSession>('/v1/sessions', { workflow_id: workflow.id, ...body })
      expect(created.status).toBe(201)
      return created.body
    }
  return {
    system,
    api,
    mail,
    session: sessionsOf(app_id, api),
    liveSession: async (config, body) => {
      const live = await bus.request(setUpApp, {
        name: 'Example, live',
        environment: 'live',
        webhook_url: null,
        owner_email: 'owner@localhost.localdomain',
      })
      return sessionsOf(live.app_id, apiClient(system.url, live.api_key))(config, body)
    },
    close: async () => {
      await system.close()
      await mail.close()
    },
  }
}

/** The link of a session, at the address of the system under test. */
export const linkOf = (harness: FlowHarness, session: CreatedSession): string =>
  `${harness.system.url}/flow/${session.session_token}`

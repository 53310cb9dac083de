import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { chromium } from 'playwright-core'
import { type Receiver, startReceiver } from './support/receiver.ts'
import { startTestSystem, type TestSystem } from './support/system.ts'

const root = fileURLToPath(new URL('..', import.meta.url))

let system: TestSystem
let receiver: Receiver
let folder: string
beforeAll(async () => {
  receiver = await startReceiver()
  system = await startTestSystem({ WEBHOOK_URL: receiver.url })
  receiver.useSecret(system.app.webhook_secret)
  // The folder as left by the first start.
  folder = mkdtempSync(join(tmpdir(), 'kyc-quickstart-'))
  mkdirSync(join(folder, '.data'))
  writeFileSync(join(folder, '.data', 'standalone.json'), JSON.stringify(system.app))
})
afterAll(async () => {
  await system?.close()
  await receiver?.close()
  rmSync(folder, { recursive: true, force: true })
})

/** The shell block of a document that creates a session. */
function quickStartOf(file: string): string {
  const blocks = [...readFileSync(join(root, file), 'utf8').matchAll(/```sh\n([\s\S]*?)```/g)]
  const found = blocks.map((match) => match[1] ?? '').filter((block) => block.includes('/v1/sessions'))
  expect([file, found.length]).toEqual([file, 1])
  return found[0] as string
}

describe.each(['README.md', 'packages/docs-site/guide/first-session.md'])('the quick start of %s', (file) => {
  test('works as written: session, decision, signed webhook', async () => {
    const script = quickStartOf(file)
    const commands = script.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
    const continued = commands.filter((line) => line.endsWith('\\')).length
    expect(commands.length - continued).toBeLessThanOrEqual(10)
    const { stdout } = await promisify(execFile)('bash', ['-euo', 'pipefail', '-c', script], {
      cwd: folder,
      env: { PATH: process.env.PATH, HOME: process.env.HOME },
    })
    const created = JSON.parse(readFileSync(join(folder, 'session.json'), 'utf8')) as { session_id: string }
    expect(stdout).toContain(created.session_id)
    const event = await receiver.until(
      ({ data }) => data.session_id === created.session_id && data.status === 'approved',
    )
    expect(event.data.decision).not.toBeNull()
    expect(receiver.refused()).toBe(0)
  })
})

const browser = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(existsSync)
if (!browser) process.stdout.write('skipped: the documentation in a browser (no Chromium here)\n')
const inBrowser = browser ? test : test.skip

describe('the documentation', () => {
  test('is served by the gateway, but files outside it are not', async () => {
    const home = await fetch(`${system.url}/docs`)
    expect(home.status).toBe(200)
    expect(home.headers.get('content-security-policy')).toContain("default-src 'none'")
    expect((await fetch(`${system.url}/docs/none`)).status).toBe(404)
    expect((await fetch(`${system.url}/docs`, { method: 'POST' })).status).toBe(404)
  })

  inBrowser('draws the reference from this host alone, without breaking its own policy', async () => {
    const chrome = await chromium.launch({ executablePath: browser as string, args: ['--no-sandbox'] })
    try {
      const page = await chrome.newPage({ viewport: { width: 1280, height: 900 } })
      const elsewhere: string[] = []
      const complaints: string[] = []
      page.on('request', (request) => {
        const { origin, protocol } = new URL(request.url())
        if (protocol !== 'data:' && origin !== system.url) elsewhere.push(request.url())
      })
      page.on('console', (message) => {
        if (message.type() === 'error') complaints.push(message.text())
      })
      page.on('pageerror', (error) => complaints.push(String(error)))
      await page.goto(`${system.url}/docs/reference`)
      await page.getByText('Create a session and its hosted link').first().waitFor()
      await page.getByText('Create a session and its hosted link').first().click()
      await page.getByText('Idempotency-Key').first().waitFor()
      const pictures = process.env.KYC_SCREENSHOTS
      if (pictures) await page.screenshot({ path: join(pictures, 'docs-reference.png') })
      await page.goto(`${system.url}/docs`)
      await page.getByRole('heading', { name: 'First session' }).waitFor()
      if (pictures) await page.screenshot({ path: join(pictures, 'docs-guide.png') })
      await page.setViewportSize({ width: 360, height: 740 })
      const width = await page.evaluate('document.documentElement.scrollWidth')
      expect(width).toBeLessThanOrEqual(360)
      if (pictures) await page.screenshot({ path: join(pictures, 'docs-phone.png') })
      expect({ elsewhere, complaints }).toEqual({ elsewhere: [], complaints: [] })
    } finally {
      await chrome.close()
    }
  })
})

import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import pg from 'pg'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { exampleHolder, specimenPassport } from '../support/specimen.ts'
import { until } from '../support/until.ts'
import { createFakeCamera, documentScene, drawnFace, type FakeCamera } from './flow-camera.ts'
import { measureFirstLoad } from './flow-figures.ts'
import {
  chromiumPath,
  type FlowHarness,
  heading,
  inspect,
  launch,
  linkOf,
  type OpenOptions,
  openContext,
  startFlowHarness,
} from './flow-harness.ts'

const inBrowser = chromiumPath ? describe : describe.skip
const approved = { metadata: { test_scenario: 'approved' } }

let harness: FlowHarness
let camera: FakeCamera
let browser: Browser
let document: Buffer

beforeAll(async () => {
  if (!chromiumPath) return
  document = await specimenPassport({ ...exampleHolder, document_number: 'X0Y1Z2F22' }, await drawnFace())
  camera = await createFakeCamera(await documentScene(document))
  harness = await startFlowHarness()
  browser = await launch({ file: camera.path })
})
afterAll(async () => {
  await browser?.close()
  await harness?.close()
  await camera?.close()
})

const open = async (session: Parameters<typeof linkOf>[1], options: OpenOptions = {}, of = browser) => {
  const context = await openContext(of, options)
  const page = await context.newPage()
  await page.goto(linkOf(harness, session))
  return { context, page }
}
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()

/** Up to the camera of the document. */
async function toPrepare(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^(Start|Stay on this computer)$/ }).click()
  await press(page, 'I agree and continue')
  await page.getByRole('radio', { name: 'Passport', exact: true }).check()
  await press(page, 'Continue')
  await heading(page, 'Photo page of your passport')
}

/** What the funnel knows of a session: names, and nothing that could be anything else. */
const eventsOf = async (sessionId: string): Promise<string[]> => {
  const client = new pg.Client({ connectionString: harness.system.databaseUrl })
  await client.connect()
  try {
    const { rows } = await client.query<Record<string, unknown>>(
      'SELECT * FROM flow.flow_event WHERE session_id = $1 ORDER BY seq',
      [sessionId],
    )
    for (const row of rows)
      expect(Object.keys(row).sort()).toEqual(['app_id', 'at', 'name', 'seq', 'session_id'])
    return rows.map(({ name }) => String(name))
  } finally {
    await client.end()
  }
}
const eventArrives = (sessionId: string, name: string) =>
  until(
    () => eventsOf(sessionId),
    (events) => events.includes(name),
  )

inBrowser('a link', () => {
  test('that nobody issued says so, in the language of the reader, and answers 404', async () => {
    const context = await openContext(browser, { locale: 'es-MX' })
    const page = await context.newPage()
    const answer = await page.goto(`${harness.system.url}/flow/not-a-token-of-anybody`)
    expect(answer?.status()).toBe(404)
    expect(answer?.headers()['content-security-policy']).toContain("default-src 'none'")
    await heading(page, 'Este enlace no es válido')
    await inspect(page, 'phone-es-link-unknown')
    await context.close()
  })

  test('that was ended says where to get another', async () => {
    const session = await harness.session()
    expect((await harness.api.delete(`/v1/sessions/${session.session_id}`)).status).toBe(204)
    const { context, page } = await open(session)
    await heading(page, 'This link has expired')
    await inspect(page, 'phone-en-link-expired')
    await context.close()
  })

  test('of a session that is over shows its result', async () => {
    const session = await harness.session({}, approved)
    const { context, page } = await open(session)
    await press(page, 'Start')
    await press(page, "I don't agree")
    await page.getByRole('dialog', { name: 'Stop the verification?' }).waitFor()
    await inspect(page, 'phone-en-consent-refuse')
    await page.keyboard.press('Escape')
    await press(page, "I don't agree")
    await press(page, 'Stop the verification')
    await heading(page, 'The verification was stopped')
    await page.reload()
    await heading(page, "We couldn't verify you")
    await inspect(page, 'phone-en-declined')
    await context.close()
  })

  test('opened without JavaScript says what it needs', async () => {
    const session = await harness.session()
    const { context, page } = await open(session, { context: { javaScriptEnabled: false } })
    await heading(page, 'This page needs JavaScript')
    await context.close()
  })
})

/** Runs in the page. A camera cannot be taken away from a fake device: the first request fails as if it were. */
const cameraInUseOnce = `
  const real = navigator.mediaDevices.getUserMedia.bind(navigator.mediaDevices)
  let failures = 1
  navigator.mediaDevices.getUserMedia = (constraints) =>
    failures-- > 0 ? Promise.reject(new DOMException('in use', 'NotReadableError')) : real(constraints)
`

inBrowser('a camera', () => {
  test('that is refused is explained, and the person goes on with a file', async () => {
    const session = await harness.session({}, approved)
    const denied = await launch('denied')
    const { page } = await open(session, {}, denied)
    await toPrepare(page)
    await press(page, 'Open the camera')
    await heading(page, /The camera is blocked|We need your camera/)
    await inspect(page, 'phone-en-camera-blocked')
    await page
      .locator('input[type=file]')
      .setInputFiles({ name: 'passport.jpg', mimeType: 'image/jpeg', buffer: document })
    await heading(page, 'Can you read everything?')
    await press(page, 'Use this photo')
    await heading(page, 'Now your face', 60_000)
    await eventArrives(session.session_id, 'camera_denied')
    await denied.close()
  })

  test('that is not there leads to the phone or a file', async () => {
    const session = await harness.session({}, approved)
    const without = await launch('none')
    const { page } = await open(session, { device: 'desktop' }, without)
    await toPrepare(page)
    await press(page, 'Open the camera')
    await heading(page, 'No camera was found')
    await inspect(page, 'desktop-en-camera-none')
    await press(page, 'Continue on my phone')
    await heading(page, 'Continue on your phone')
    await page.goBack()
    await heading(page, 'Choose your document')
    await eventArrives(session.session_id, 'camera_unavailable')
    await without.close()
  })

  test('that another program holds is asked for again', async () => {
    const session = await harness.session({}, approved)
    const context = await openContext(browser)
    await context.addInitScript({ content: cameraInUseOnce })
    const page = await context.newPage()
    await page.goto(linkOf(harness, session))
    await toPrepare(page)
    await press(page, 'Open the camera')
    await heading(page, 'The camera is in use')
    await inspect(page, 'phone-en-camera-busy')
    await press(page, 'Try again')
    await heading(page, 'Can you read everything?')
    await press(page, 'Take it again')
    await page.getByRole('button', { name: 'Close the camera' }).click()
    // The light beside the lens is off: nothing holds the camera any longer.
    expect(await page.locator('video').count()).toBe(0)
    await eventArrives(session.session_id, 'retake')
    await context.close()
  })
})

inBrowser('a network', () => {
  test('that breaks keeps the photo, tries again by itself, and charges one attempt', async () => {
    const session = await harness.session({}, { metadata: { test_scenario: 'document_blurry' } })
    const { context, page } = await open(session)
    let lost = 0
    await toPrepare(page)
    await page
      .locator('input[type=file]')
      .setInputFiles({ name: 'passport.jpg', mimeType: 'image/jpeg', buffer: document })
    await page.route('**/document', async (route) => {
      lost += 1
      if (lost === 1) await route.abort('connectionreset')
      else if (lost === 2) {
        // It arrived and was judged, and the answer was lost on the way back.
        await route.fetch()
        await route.abort('connectionreset')
      } else await route.continue()
    })
    await press(page, 'Use this photo')
    await page.getByText('No connection. Your photo is kept here', { exact: false }).first().waitFor()
    await inspect(page, 'phone-en-upload-waiting')
    await heading(page, "This photo didn't work", 60_000)
    await page.getByText('2 tries left.').waitFor()
    await inspect(page, 'phone-en-refused')
    expect(lost).toBe(3)
    await context.close()
  })

  test('that is slow shows how much was sent; the last try is kept with its faults', async () => {
    const session = await harness.session(
      { steps: { document: { max_attempts: 1 } } },
      { metadata: { test_scenario: 'document_blurry' } },
    )
    const { context, page } = await open(session)
    await toPrepare(page)
    await slowDown(context, page)
    await page
      .locator('input[type=file]')
      .setInputFiles({ name: 'passport.jpg', mimeType: 'image/jpeg', buffer: document })
    await press(page, 'Use this photo')
    await page.getByText(/^\d+ % sent$/).waitFor()
    await heading(page, 'We kept this photo. A person may check it.', 60_000)
    await inspect(page, 'phone-en-kept')
    await press(page, 'Continue')
    await heading(page, 'Now your face')
    await context.close()
  })

  test('of slow third generation brings the first page within 3 s and 60 KB of script', async () => {
    const session = await harness.session({}, approved)
    const figures = await measureFirstLoad(browser, linkOf(harness, session))
    process.stdout.write(
      `hosted flow, first load on slow 3G (400 kbit/s, 400 ms): ${figures.scriptBytes} bytes of script compressed, ` +
        `${figures.totalBytes} in all, usable after ${figures.usableMs} ms, layout shift ${figures.layoutShift}\n`,
    )
    expect(figures.scriptBytes).toBeLessThan(60_000)
    expect(figures.usableMs).toBeLessThan(3_000)
    expect(figures.layoutShift).toBeLessThan(0.1)
  })
})

/** About 400 kbit/s up. */
async function slowDown(context: BrowserContext, page: Page): Promise<void> {
  const devtools = await context.newCDPSession(page)
  await devtools.send('Network.enable')
  await devtools.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: 200,
    downloadThroughput: 50_000,
    uploadThroughput: 50_000,
  })
}

inBrowser('a person who uses only the keyboard', () => {
  test('gets from the link past the document, in print twice as large, and is told each hint', async () => {
    await camera.show(await documentScene(document, 0.5))
    const session = await harness.session({}, approved)
    // Half the width is what 200 % of zoom leaves.
    const { context, page } = await open(session, {
      device: 'desktop',
      context: { viewport: { width: 640, height: 450 } },
    })
    const tabTo = async (role: 'button' | 'radio' | 'combobox', name: string) => {
      const wanted = page.getByRole(role, { name, exact: true })
      await wanted.waitFor()
      for (let presses = 0; presses < 40; presses++) {
        await page.keyboard.press('Tab')
        if (await wanted.evaluate((element) => element === element.ownerDocument.activeElement)) return
      }
      throw new Error(`the keyboard does not reach ${name}`)
    }
    const use = async (name: string) => {
      await tabTo('button', name)
      await page.keyboard.press('Enter')
    }
    await heading(page, 'Verify your identity')
    expect(await page.evaluate('document.activeElement.tagName')).toBe('H1')
    await use('Start')
    await use('I agree and continue')
    await heading(page, 'Choose your document')
    await use('Continue')
    await page.getByRole('alert').getByText('Choose a kind of document.').waitFor()
    await tabTo('radio', 'Passport')
    await page.keyboard.press('Space')
    await use('Continue')
    await heading(page, 'Photo page of your passport')
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(640)
    await use('Open the camera')
    // The card is too small in the frame: that is said aloud, not only shown.
    await page
      .getByRole('status')
      .getByText(/Move closer|Fit the whole document/)
      .waitFor()
    await use('Take the photo')
    await heading(page, 'Can you read everything?')
    await inspect(page, 'desktop-en-zoom-200')
    await use('Use this photo')
    await heading(page, 'Now your face', 60_000)
    await context.close()
  })
})

import { describe, expect, test } from '@jest/globals'
import type { Page } from 'playwright-core'
import { until } from '../../support/until.ts'
import {
  cameraInUseOnce,
  endTrack,
  keepTracks,
  noMediaDevices,
  noWorkerCanvas,
  playsWhenTapped,
  richCamera,
  userAgents,
} from './devices.ts'
import { heading, launch } from './harness.ts'
import { inspect } from './inspect.ts'
import { eventArrives, type FlowWorld, openLink, scenario } from './world.ts'

export function cameraHelp(world: FlowWorld): void {
  const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()

  /**
   * Waits until an expression is true in the page, whose content security policy does not let a test evaluate one
   * otherwise.
   */
  const holds = (page: Page, expression: string) => until(() => page.evaluate<boolean>(expression), Boolean)

  /** Completes the flow up to the camera of the document. */
  async function toPrepare(page: Page): Promise<void> {
    await page.getByRole('button', { name: /^(Start|Stay on this computer)$/ }).click()
    await press(page, 'I agree and continue')
    await page.getByRole('radio', { name: 'Passport', exact: true }).check()
    await press(page, 'Continue')
    await heading(page, 'Photo page of your passport')
  }

  async function uploadPassport(page: Page): Promise<void> {
    await page
      .locator('input[type=file]')
      .setInputFiles({ name: 'passport.jpg', mimeType: 'image/jpeg', buffer: world.passport })
    await heading(page, 'Can you read everything?')
    await press(page, 'Use this photo')
    await heading(page, 'Now your face', 60_000)
  }

  /** Sets the camera's picture; each test reopens the camera. */
  const newSession = async (scene = world.scenes.document) => {
    await world.camera.show(scene)
    return world.harness.session({}, scenario('approved'))
  }

  describe('without a camera', () => {
    test('a denied permission is explained, and the person continues with a file', async () => {
      const session = await newSession()
      const denied = await launch('denied')
      const { page } = await openLink(world, session, { browser: denied })
      await toPrepare(page)
      await press(page, 'Open the camera')
      await heading(page, /The camera is blocked|We need your camera/)
      await inspect(page, 'phone-en-camera-blocked')
      await uploadPassport(page)
      await eventArrives(world, session, 'camera_denied')
      await denied.close()
    })

    test('on an iPhone, the path to its settings is shown', async () => {
      const session = await newSession()
      const denied = await launch('denied')
      const options = { browser: denied, context: { userAgent: userAgents.iphone } }
      const { page } = await openLink(world, session, options)
      await toPrepare(page)
      await press(page, 'Open the camera')
      await page.getByText('“Website Settings”', { exact: false }).waitFor()
      await inspect(page, 'phone-en-camera-blocked-ios')
      await denied.close()
    })

    test('a device that has none offers the phone or a file', async () => {
      const session = await newSession()
      const without = await launch('none')
      const { page } = await openLink(world, session, { device: 'desktop', browser: without })
      await toPrepare(page)
      await press(page, 'Open the camera')
      await heading(page, 'No camera was found')
      await inspect(page, 'desktop-en-camera-none')
      await press(page, 'Continue on my phone')
      await heading(page, 'Continue on your phone')
      await page.goBack()
      await heading(page, 'Choose your document')
      await eventArrives(world, session, 'camera_unavailable')
      await without.close()
    })

    test.each(['instagram', 'androidWebView'] as const)(
      'inside another app (%s), the page explains that and shows the link',
      async (app) => {
        const session = await newSession()
        const options = { script: noMediaDevices, context: { userAgent: userAgents[app] } }
        const { context, page } = await openLink(world, session, options)
        await toPrepare(page)
        await press(page, 'Open the camera')
        await page.getByText('You are inside another app.', { exact: false }).waitFor()
        await page.getByRole('button', { name: 'Copy the link' }).waitFor()
        await inspect(page, `phone-en-camera-in-app-${app}`)
        await uploadPassport(page)
        await context.close()
      },
    )

    test('a browser that cannot open one offers another browser or a file', async () => {
      const session = await newSession()
      const { context, page } = await openLink(world, session, { script: noMediaDevices })
      await toPrepare(page)
      await press(page, 'Open the camera')
      await heading(page, "This browser can't open the camera")
      await inspect(page, 'phone-en-camera-unsupported')
      await uploadPassport(page)
      await context.close()
    })
  })

  describe('a camera', () => {
    test('that another program uses is requested again, and released when it is closed', async () => {
      const session = await newSession()
      const { context, page } = await openLink(world, session, { script: cameraInUseOnce + keepTracks })
      await toPrepare(page)
      await press(page, 'Open the camera')
      await heading(page, 'The camera is in use')
      await inspect(page, 'phone-en-camera-busy')
      await press(page, 'Try again')
      await heading(page, 'Can you read everything?')
      await press(page, 'Take it again')
      await closeCamera(page)
      await heading(page, 'Photo page of your passport')
      // The camera's indicator light is off, because no track is active.
      const states = await page.evaluate<string[]>('window.tracks.map(({ readyState }) => readyState)')
      expect(new Set(states)).toEqual(new Set(['ended']))
      await eventArrives(world, session, 'retake')
      await context.close()
    })

    test('offers its light, its zoom and its other lens; a light that cannot be switched on stays off', async () => {
      const session = await newSession(world.scenes.face)
      const { context, page } = await openLink(world, session, { script: richCamera })
      await toPrepare(page)
      await press(page, 'Open the camera')
      const asked = () => page.evaluate<Record<string, unknown>[]>('window.asked')
      await press(page, 'Turn the light on')
      await page.getByRole('button', { name: 'Turn the light off', exact: true }).waitFor()
      const zoom = page.getByRole('slider', { name: 'Zoom' })
      expect(await zoom.getAttribute('max')).toBe('4')
      await zoom.focus()
      await page.keyboard.press('ArrowRight')
      await page.keyboard.press('ArrowRight')
      await inspect(page, 'phone-en-camera-controls')
      await press(page, 'Turn the light off')
      await page.getByRole('button', { name: 'Turn the light on', exact: true }).waitFor()
      await page.evaluate('window.lightBroken = true')
      await press(page, 'Turn the light on')
      expect(await page.getByRole('button', { name: 'Turn the light off', exact: true }).count()).toBe(0)
      expect((await asked()).filter((set) => 'torch' in set || 'zoom' in set)).toEqual([
        { torch: true },
        { zoom: 1.5 },
        { zoom: 2 },
        { torch: false },
      ])
      await press(page, 'Switch camera')
      await holds(page, `window.asked.some(({ deviceId }) => deviceId?.ideal === 'wide')`)
      await context.close()
    })

    test('on an iPhone that saves power starts with a tap, and gets no height constraint', async () => {
      const session = await newSession()
      const options = { script: playsWhenTapped, context: { userAgent: userAgents.iphone } }
      const { context, page } = await openLink(world, session, options)
      await toPrepare(page)
      await press(page, 'Open the camera')
      const start = page.getByRole('button', { name: 'Tap to start the camera' })
      await start.waitFor()
      await inspect(page, 'phone-en-camera-tap')
      await page.evaluate('window.tapped = true')
      await start.click()
      await heading(page, 'Can you read everything?')
      expect(await page.evaluate('window.asked')).toEqual([
        { width: { ideal: 1920 }, facingMode: { ideal: 'environment' } },
      ])
      await context.close()
    })

    test('that stops is reopened once automatically, then at the request of the person', async () => {
      const session = await newSession(world.scenes.face)
      const { context, page } = await openLink(world, session, { script: keepTracks })
      await toPrepare(page)
      await press(page, 'Open the camera')
      await page.waitForSelector('button.shutter[aria-disabled="false"]')
      await page.evaluate(endTrack)
      await holds(page, 'window.tracks.length === 2')
      await holds(page, 'document.querySelector("video").srcObject?.getTracks()[0] === window.tracks[1]')
      await page.evaluate(endTrack)
      await heading(page, 'The camera stopped')
      await inspect(page, 'phone-en-camera-stopped')
      await press(page, 'Start the camera again')
      await page.waitForSelector('button.shutter[aria-disabled="false"]')
      await context.close()
    })

    test('of an older browser, without drawing in workers, still takes the photo automatically', async () => {
      const session = await newSession()
      const { context, page } = await openLink(world, session, { script: noWorkerCanvas })
      await toPrepare(page)
      await press(page, 'Open the camera')
      await heading(page, 'Can you read everything?')
      await context.close()
    })
  })
}

/** The shutter is automatic, so on a busy machine the next picture can be taken before the test closes the camera. */
async function closeCamera(page: Page): Promise<void> {
  const close = page.getByRole('button', { name: 'Close the camera' })
  await until(
    async () => {
      const again = page.getByRole('button', { name: 'Take it again' })
      if (await again.isVisible()) await again.click({ timeout: 2_000 }).catch(() => undefined)
      await close.click({ timeout: 2_000 }).catch(() => undefined)
      const before = page.getByRole('heading', { name: 'Photo page of your passport' })
      return (await before.isVisible()) && (await close.count()) === 0
    },
    (closed) => closed,
  )
}

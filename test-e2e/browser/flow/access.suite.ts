import { describe, expect, test } from '@jest/globals'
import type { Page } from 'playwright-core'
import { documentScene } from './camera.ts'
import { heading } from './harness.ts'
import { inspect } from './inspect.ts'
import { decisionOf, type FlowWorld, openLink, query, scenario } from './world.ts'

export function access(world: FlowWorld): void {
  /** A person without a mouse: only key presses reach the page. */
  function keyboardAt(page: Page) {
    const { keyboard } = page
    const tabTo = async (wanted: ReturnType<Page['getByRole']>, what: string) => {
      await wanted.waitFor({ state: 'attached' })
      for (let presses = 0; presses < 60; presses++) {
        await keyboard.press('Tab')
        if (await wanted.evaluate((element) => element === element.ownerDocument.activeElement)) return
      }
      throw new Error(`the keyboard does not reach ${what}`)
    }
    const reach = (role: 'button' | 'radio' | 'link', name: string | RegExp) =>
      tabTo(page.getByRole(role, { name, exact: true }), String(name))
    return {
      reach,
      use: async (name: string) => {
        await reach('button', name)
        await keyboard.press('Enter')
      },
      chooseFile: async (label: string, file: { name: string; mimeType: string; buffer: Buffer }) => {
        // A busy Chromium occasionally opens no file chooser for a key press, so press it again.
        for (let tries = 0; tries < 3; tries++) {
          await tabTo(page.getByLabel(label), label)
          const chooser = page.waitForEvent('filechooser', { timeout: 10_000 }).catch(() => null)
          await keyboard.press('Enter')
          const opened = await chooser
          if (opened) return opened.setFiles(file)
        }
        throw new Error(`no file chooser opens for ${label}`)
      },
    }
  }

  const normal = { width: 1280, height: 900 }
  /** The viewport that remains at 200 % and 400 % zoom (WCAG 1.4.4, 1.4.10). */
  const zoomed = [
    { width: 640, height: 450 },
    { width: 320, height: 512 },
  ]

  /** Inspects a page at normal size, and checks that nothing overflows horizontally when it is zoomed. */
  async function lookAt(page: Page, name: string): Promise<void> {
    await inspect(page, `desktop-en-${name}`)
    for (const size of zoomed) {
      await page.setViewportSize(size)
      const width = await page.evaluate<number>('document.documentElement.scrollWidth')
      expect({ name, width: Math.min(width, size.width + 1) }).toEqual({
        name,
        width: Math.min(width, size.width),
      })
    }
    await page.setViewportSize(normal)
  }

  describe('a person who uses only the keyboard', () => {
    test('completes the flow from link to result on a computer, with a file for the document and the camera for the face', async () => {
      await world.camera.show(world.scenes.face)
      const session = await world.harness.session(
        {},
        { ...scenario('approved'), callback_url: `${world.harness.system.url}/health` },
      )
      const { context, page } = await openLink(world, session, { device: 'desktop' })
      const { reach, use, chooseFile } = keyboardAt(page)
      await heading(page, 'Verify your identity')
      expect(await page.evaluate('document.activeElement.tagName')).toBe('H1')
      await lookAt(page, '1-welcome')
      await use('Help')
      await page.getByRole('dialog', { name: 'Help' }).waitFor()
      await inspect(page, 'desktop-en-help')
      await page.keyboard.press('Escape')
      await page.getByRole('dialog').waitFor({ state: 'detached' })
      expect(await page.evaluate('document.activeElement.textContent')).toBe('Help')
      await use('Stay on this computer')
      await heading(page, 'Before we start')
      await lookAt(page, '2-consent')
      await use('I agree and continue')
      await heading(page, 'Choose your document')
      await use('Continue')
      await page.getByRole('alert').getByText('Choose a kind of document.').waitFor()
      await reach('radio', 'Passport')
      await page.keyboard.press('Space')
      await lookAt(page, '4-choose')
      await use('Continue')
      await heading(page, 'Photo page of your passport')
      await lookAt(page, '5-prepare')
      await chooseFile('Upload a photo', {
        name: 'passport.jpg',
        mimeType: 'image/jpeg',
        buffer: world.passport,
      })
      await heading(page, 'Can you read everything?')
      await lookAt(page, '7-check')
      await use('Use this photo')
      await heading(page, 'Now your face', 60_000)
      await lookAt(page, '8-face')
      await use('Start')
      // The camera takes the photo by itself; no hands are needed.
      await heading(page, 'Is your face clear?')
      await lookAt(page, '10-face-check')
      await use('Use this photo')
      await heading(page, 'Everything is here', 60_000)
      await lookAt(page, '11-review')
      await use('Send')
      await heading(page, "You're verified", 60_000)
      await use('Stay here')
      await lookAt(page, '13-result')
      expect(await decisionOf(world, session)).toMatchObject({ status: 'approved' })
      await reach('link', /^Return to /)
      await page.keyboard.press('Enter')
      await page.waitForURL(/\/health\?.*result_token=/)
      await context.close()
    })

    test('photographs the document with text twice as large, and hears each hint', async () => {
      await world.camera.show(await documentScene(world.passport, 0.5))
      const session = await world.harness.session({}, scenario('approved'))
      const { context, page } = await openLink(world, session, {
        device: 'desktop',
        context: { viewport: zoomed[0] },
      })
      const { reach, use } = keyboardAt(page)
      await use('Start')
      await use('I agree and continue')
      await reach('radio', 'Passport')
      await page.keyboard.press('Space')
      await use('Continue')
      await use('Open the camera')
      // The card is too small in the frame, and the hint is announced, not only shown.
      await page
        .getByRole('status')
        .getByText(/Move closer|Fit the whole document/)
        .waitFor()
      await inspect(page, 'desktop-en-zoom-200-camera')
      await use('Take the photo')
      await heading(page, 'Can you read everything?')
      await inspect(page, 'desktop-en-zoom-200-check')
      await use('Use this photo')
      await heading(page, 'Now your face', 60_000)
      await context.close()
    })
  })

  describe('a person who speaks another language', () => {
    test('can choose it on any page, and every page fits its width and starts from the correct side', async () => {
      const session = await world.harness.session()
      const { context, page } = await openLink(world, session, {
        context: { viewport: { width: 320, height: 640 } },
      })
      const choice = page.locator('.language select')
      await choice.waitFor()
      const titles = new Set<string>()
      for (const language of ['en', 'hi', 'es', 'fr', 'de', 'pt', 'ar']) {
        await choice.selectOption(language)
        await page.locator(`html[lang=${language}]`).waitFor()
        expect(await page.evaluate('document.documentElement.dir')).toBe(language === 'ar' ? 'rtl' : 'ltr')
        expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBeLessThanOrEqual(320)
        titles.add(await inspect(page, `phone-${language}-language`).then((spoken) => spoken.join()))
      }
      expect(titles.size).toBe(7)
      await context.close()
    })
  })

  describe('a client', () => {
    const logo =
      'data:image/svg+xml,%3Csvg xmlns="http://www.w3.org/2000/svg" width="120" height="32"%3E%3Crect width="120" height="32" rx="6" fill="%237a1fa2"/%3E%3C/svg%3E'
    const wear = (accent: string) =>
      query(world, "UPDATE session.app SET name = 'Examplia', accent = $1, logo_url = $2", [accent, logo])
    const accentOf = (page: Page) =>
      page.evaluate<string>("getComputedStyle(document.querySelector('.button-primary')).backgroundColor")

    test('has its name, logo and colour on the pages, if the colour is readable', async () => {
      const session = await world.harness.session()
      await wear('#7a1fa2')
      const { context, page } = await openLink(world, session)
      await page.getByText('Examplia asked us to confirm who you are.', { exact: false }).waitFor()
      await page.getByRole('img', { name: 'Examplia' }).waitFor()
      expect(await accentOf(page)).toBe('rgb(122, 31, 162)')
      await inspect(page, 'phone-en-branded')
      await wear('#ffee00')
      await page.reload()
      await page.getByRole('button', { name: 'Start' }).waitFor()
      expect(await accentOf(page)).toBe('rgb(11, 95, 165)')
      await context.close()
    })
  })
}

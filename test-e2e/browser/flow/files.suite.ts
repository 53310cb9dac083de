import { describe, expect, test } from '@jest/globals'
import type { Page } from 'playwright-core'
import sharp, { type Sharp } from 'sharp'
import { keepPictures } from './devices.ts'
import { heading } from './harness.ts'
import { inspect } from './inspect.ts'
import { personAt } from './person.ts'
import { type FlowWorld, openLink, scenario } from './world.ts'

export function files(world: FlowWorld): void {
  async function toPrepare() {
    const session = await world.harness.session({}, scenario('approved'))
    const opened = await openLink(world, session, { script: keepPictures })
    const { begin, consent, chooseDocument } = personAt(opened.page, 'en', null)
    await begin('phone')
    await consent()
    await chooseDocument()
    return opened
  }
  const choose = (page: Page, buffer: Buffer, name = 'photo.jpg') =>
    page.locator('input[type=file]').setInputFiles({ name, mimeType: 'image/jpeg', buffer })

  /** The photo as it would be sent. */
  async function photoOn(page: Page) {
    await heading(page, 'Can you read everything?')
    const bytes = await page.evaluate<number[]>('window.made')
    const photo = Buffer.from(bytes)
    return { photo, ...(await sharp(photo).metadata()) }
  }

  describe('a photo from a file', () => {
    test('is sent upright, no larger than needed, and without the metadata of the phone', async () => {
      const { context, page } = await toPrepare()
      // As phones store them: rotated, with an EXIF orientation, and with the location where it was taken.
      const large = await sharp(world.passport).resize({ width: 4000 }).toBuffer()
      const turned = await sharp(large)
        .rotate(270)
        .withExif({ IFD0: { Make: 'Secretphone' }, IFD3: { GPSLatitude: '52/1 31/1 12/1' } })
        .withMetadata({ orientation: 6 })
        .jpeg()
        .toBuffer()
      expect(turned.includes('Secretphone')).toBe(true)
      await choose(page, turned)
      const { photo, width, height, orientation, exif } = await photoOn(page)
      expect([width, height]).toEqual([2560, 1792])
      expect([orientation, exif, photo.includes('Secretphone')]).toEqual([undefined, undefined, false])
      expect(photo.length).toBeLessThan(turned.length)
      await context.close()
    })

    test.each([
      ['too dark', (image: Sharp) => image.linear(0.12, 0), 'This photo looks too dark.'],
      ['blurred', (image: Sharp) => image.blur(6), 'This photo looks blurred.'],
      ['too small', (image: Sharp) => image.resize({ width: 400 }), 'This photo is small.'],
    ] as const)('that is %s triggers a warning before the upload', async (_fault, spoil, words) => {
      const { context, page } = await toPrepare()
      await choose(page, await spoil(sharp(world.passport)).jpeg().toBuffer())
      await page.getByRole('alert').getByText(words, { exact: false }).waitFor()
      expect(await page.locator('.button-primary').textContent()).toBe('Take it again')
      await inspect(page, `phone-en-doubt-${_fault.replaceAll(' ', '-')}`)
      await context.close()
    })

    test('that is not an image is rejected, and nothing else is lost', async () => {
      const { context, page } = await toPrepare()
      await choose(page, Buffer.from('%PDF-1.7'), 'passport.pdf')
      await page
        .getByRole('alert')
        .getByText('This file cannot be opened as a picture.', { exact: false })
        .waitFor()
      await inspect(page, 'phone-en-no-picture')
      await choose(page, world.passport)
      await heading(page, 'Can you read everything?')
      await context.close()
    })
  })
}

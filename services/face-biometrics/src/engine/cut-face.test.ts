import { describe, expect, test } from '@jest/globals'
import sharp from 'sharp'
import { cutFace } from './cut-face.ts'
import { decodeImage } from './decode-image.ts'

/** A grey page of 1600 × 1200 with a red square of 200 at 1200, 100. */
async function page(): Promise<Buffer> {
  const red = await sharp({ create: { width: 200, height: 200, channels: 3, background: '#e00000' } })
    .png()
    .toBuffer()
  return sharp({ create: { width: 1600, height: 1200, channels: 3, background: '#808080' } })
    .composite([{ input: red, left: 1200, top: 100 }])
    .jpeg({ quality: 95 })
    .toBuffer()
}

async function redPartOf(jpeg: Buffer) {
  const { data, width, height } = await decodeImage(jpeg)
  const found = { width, height, left: width, right: 0, top: height, bottom: 0 }
  for (let y = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1) {
      const at = (y * width + x) * 3
      if (data[at]! < 160 || data[at + 1]! > 90) continue
      found.left = Math.min(found.left, x)
      found.right = Math.max(found.right, x)
      found.top = Math.min(found.top, y)
      found.bottom = Math.max(found.bottom, y)
    }
  return found
}

describe('cutFace', () => {
  // Detected at 640 × 480, which is 0.4 of the file's size.
  const scale = 0.4
  const box = { x: 480, y: 40, width: 80, height: 80 }

  test('crops the face from the file’s own pixels, with a margin of half its size on every side', async () => {
    const { width, height, left, right, top, bottom } = await redPartOf(
      await cutFace(await page(), { box, scale, quarterTurns: 0 }),
    )
    expect([width, height]).toEqual([400, 400])
    for (const [edge, expected] of [
      [left, 100],
      [right, 299],
      [top, 100],
      [bottom, 299],
    ] as const)
      expect(Math.abs(edge - expected)).toBeLessThanOrEqual(2)
  })

  test.each([1, 2, 3] as const)('crops it upright from a file that needs %i quarter turns', async (turns) => {
    // The photographed picture is turned in the opposite direction.
    const lying = await sharp(await page())
      .rotate(360 - 90 * turns)
      .jpeg({ quality: 95 })
      .toBuffer()
    const { width, height, left, top } = await redPartOf(
      await cutFace(lying, { box, scale, quarterTurns: turns }),
    )
    expect([width, height]).toEqual([400, 400])
    expect(Math.abs(left - 100)).toBeLessThanOrEqual(2)
    expect(Math.abs(top - 100)).toBeLessThanOrEqual(2)
  })

  test('stays within the picture if the face touches or exceeds its edge', async () => {
    const corner = { x: 600, y: -20, width: 80, height: 80 }
    const { width, height } = await redPartOf(
      await cutFace(await page(), { box: corner, scale, quarterTurns: 0 }),
    )
    expect([width, height]).toEqual([200, 250])
  })

  test('limits large faces to 640 pixels and removes metadata', async () => {
    const told = await sharp(await page())
      .withExif({ IFD0: { Artist: 'Erika Mustermann' } })
      .toBuffer()
    const whole = { x: 0, y: 0, width: 640, height: 480 }
    const metadata = await sharp(await cutFace(told, { box: whole, scale, quarterTurns: 0 })).metadata()
    expect([metadata.format, metadata.width, metadata.exif]).toEqual(['jpeg', 640, undefined])
  })
})

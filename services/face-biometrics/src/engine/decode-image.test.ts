import { describe, expect, test } from '@jest/globals'
import sharp, { type Sharp } from 'sharp'
import { decodeImage, MAX_IMAGE_BYTES } from './decode-image.ts'
import type { ImageFault } from './image-error.ts'

const width = 96
const height = 64
/** Red, green, blue and white quarters, so that every rotation and every swap of channels is detected. */
const quarters = Buffer.alloc(width * height * 3)
for (let y = 0; y < height; y += 1)
  for (let x = 0; x < width; x += 1) {
    const right = x >= width / 2
    const colour =
      y < height / 2 ? (right ? [0, 255, 0] : [255, 0, 0]) : right ? [255, 255, 255] : [0, 0, 255]
    quarters.set(colour, (y * width + x) * 3)
  }
const picture = (): Sharp => sharp(quarters, { raw: { width, height, channels: 3 } })

type Colour = 'red' | 'green' | 'blue' | 'white' | 'other'
function colourAt(image: { data: Uint8Array; width: number }, x: number, y: number): Colour {
  const [r, g, b] = image.data.subarray((y * image.width + x) * 3)
  const [red, green, blue] = [r! > 150, g! > 150, b! > 150]
  if (red && green && blue) return 'white'
  if (red && !green && !blue) return 'red'
  if (green && !red && !blue) return 'green'
  return blue && !red && !green ? 'blue' : 'other'
}
const corners = (image: { data: Uint8Array; width: number; height: number }): Colour[] =>
  [
    [8, 8],
    [image.width - 8, 8],
    [8, image.height - 8],
    [image.width - 8, image.height - 8],
  ].map(([x, y]) => colourAt(image, x!, y!))
const upright: Colour[] = ['red', 'green', 'blue', 'white']

async function faultOf(bytes: Buffer): Promise<ImageFault | 'none'> {
  return decodeImage(bytes).then(
    () => 'none',
    (error) => error.fault,
  )
}

/** The picture as stored by a camera, which is upright after its EXIF orientation is applied. */
const stored: Record<number, (image: Sharp) => Sharp> = {
  1: (image) => image,
  2: (image) => image.flop(),
  3: (image) => image.rotate(180),
  4: (image) => image.flip(),
  5: (image) => image.rotate(270).flop(),
  6: (image) => image.rotate(270),
  7: (image) => image.rotate(90).flop(),
  8: (image) => image.rotate(90),
}

describe('decodeImage', () => {
  test.each(Object.keys(stored))('turns EXIF orientation %s upright', async (key) => {
    const turned = await stored[Number(key)]!(picture()).png().toBuffer()
    const bytes = await sharp(turned)
      .jpeg({ quality: 95 })
      .withMetadata({ orientation: Number(key) })
      .toBuffer()
    const image = await decodeImage(bytes)
    expect([image.width, image.height]).toEqual([width, height])
    expect(corners(image)).toEqual(upright)
  })

  test.each<[string, (image: Sharp) => Sharp]>([
    ['progressive JPEG', (image) => image.jpeg({ progressive: true })],
    ['16-bit PNG', (image) => image.toColourspace('rgb16').png()],
    ['palette PNG', (image) => image.png({ palette: true })],
    ['interlaced PNG', (image) => image.png({ progressive: true })],
    ['PNG with alpha', (image) => image.ensureAlpha().png()],
    ['lossy WebP', (image) => image.webp()],
    ['lossless WebP with alpha', (image) => image.ensureAlpha().webp({ lossless: true })],
    ['Display P3 JPEG', (image) => image.withIccProfile('p3').jpeg()],
  ])('reads %s as 8-bit sRGB', async (_, encode) => {
    const image = await decodeImage(await encode(picture()).toBuffer())
    expect(image.data).toHaveLength(width * height * 3)
    expect(corners(image)).toEqual(upright)
  })

  test('converts a CMYK JPEG to RGB', async () => {
    for (const [background, expected] of [
      ['#808080', [128, 128, 128]],
      ['#ff0000', [255, 0, 0]],
    ] as const) {
      const ink = sharp({ create: { width: 64, height: 64, channels: 3, background } }).toColourspace('cmyk')
      const [r, g, b] = (await decodeImage(await ink.jpeg().toBuffer())).data
      for (const [index, value] of [r!, g!, b!].entries())
        expect(Math.abs(value - expected[index]!)).toBeLessThan(30)
    }
  })

  test('decodes a greyscale image to three equal channels', async () => {
    for (const encode of [
      (image: Sharp) => image.jpeg(),
      (image: Sharp) => image.png(),
      (image: Sharp) => image.ensureAlpha().png(),
    ]) {
      const image = await decodeImage(await encode(picture().greyscale()).toBuffer())
      const [r, g, b] = image.data
      expect(image.data).toHaveLength(width * height * 3)
      expect([g, b]).toEqual([r, r])
    }
  })

  test('flattens transparency onto white', async () => {
    const bytes = await picture().ensureAlpha(0).png().toBuffer()
    expect(corners(await decodeImage(bytes))).toEqual(['white', 'white', 'white', 'white'])
  })

  test('downscales to a long side of 640 and returns the scale', async () => {
    const blank = { create: { width: 2000, height: 501, channels: 3, background: '#808080' } } as const
    const image = await decodeImage(await sharp(blank).jpeg().toBuffer())
    expect(image).toMatchObject({
      width: 640,
      height: 160,
      scale: 0.32,
      originalWidth: 2000,
      originalHeight: 501,
    })
    expect(new Set(image.data)).toEqual(new Set([128]))
  })

  test('reports the fault of invalid files', async () => {
    const jpeg = await picture().jpeg().toBuffer()
    const faults = {
      empty: await faultOf(Buffer.alloc(0)),
      svg: await faultOf(Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="99" height="99"/>')),
      tiff: await faultOf(await picture().tiff().toBuffer()),
      truncated: await faultOf(jpeg.subarray(0, jpeg.length / 2)),
      header: await faultOf(Buffer.concat([jpeg.subarray(0, 3), Buffer.alloc(500, 7)])),
      bytes: await faultOf(Buffer.concat([jpeg, Buffer.alloc(MAX_IMAGE_BYTES + 1 - jpeg.length)])),
      small: await faultOf(await picture().resize(96, 31).png().toBuffer()),
      animated: await faultOf(
        await sharp(await frames(), { join: { animated: true } })
          .webp()
          .toBuffer(),
      ),
    }
    expect(faults).toEqual({
      empty: 'not_an_image',
      svg: 'not_an_image',
      tiff: 'not_an_image',
      truncated: 'corrupt',
      header: 'corrupt',
      bytes: 'too_many_bytes',
      small: 'too_small',
      animated: 'animated',
    })
  })

  test('rejects more than 50 megapixels by the header alone', async () => {
    const png = await picture().png().toBuffer()
    // IHDR: width and height follow the signature, a length and a name; the checksum covers name and data.
    png.writeUInt32BE(10_000, 16)
    png.writeUInt32BE(5_001, 20)
    png.writeUInt32BE(crc32(png.subarray(12, 29)), 29)
    expect(await faultOf(png)).toBe('too_many_pixels')
  })
})

const frames = async () => [await picture().png().toBuffer(), await picture().negate().png().toBuffer()]

function crc32(bytes: Uint8Array): number {
  let crc = 0xffffffff
  for (const byte of bytes) {
    crc ^= byte
    for (let bit = 0; bit < 8; bit += 1) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0)
  }
  return (crc ^ 0xffffffff) >>> 0
}

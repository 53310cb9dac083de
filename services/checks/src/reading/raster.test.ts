import { describe, expect, test } from '@jest/globals'
import sharp from 'sharp'
import { decodeImage, MAX_WORKING_PIXELS, turnRaster } from './raster.ts'

/** A JPEG with a bright upper left corner. */
const photo = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: '#303030' } }).composite([
    {
      input: {
        create: {
          width: Math.floor(width / 4),
          height: Math.floor(height / 4),
          channels: 3,
          background: '#f0f0f0',
        },
      },
      left: 0,
      top: 0,
    },
  ])

describe('decodeImage', () => {
  test('decodes a photo of 20 megapixels within bounded memory, reduced to the size that print requires', async () => {
    const bytes = await photo(5472, 3648).jpeg().toBuffer()
    const before = process.memoryUsage().rss
    const { raster, originalWidth, originalHeight } = await decodeImage(bytes)
    const grown = process.memoryUsage().rss - before
    expect([originalWidth, originalHeight]).toEqual([5472, 3648])
    expect(raster.width * raster.height).toBeLessThan(1.01 * MAX_WORKING_PIXELS)
    expect(raster.width / raster.height).toBeCloseTo(1.5, 2)
    // The pixels themselves are 36 MB, so the decoder must stream.
    expect(grown).toBeLessThan(250e6)
  })

  test('rotates a photo upright by its EXIF orientation', async () => {
    const bytes = await photo(80, 40).jpeg({ quality: 95 }).withMetadata({ orientation: 6 }).toBuffer()
    const { raster } = await decodeImage(bytes)
    expect([raster.width, raster.height]).toEqual([40, 80])
    // Orientation 6 is a quarter turn clockwise, so the corner moves to the upper right.
    expect(raster.data[(4 * 40 + 36) * 3]!).toBeGreaterThan(200)
    expect(raster.data[(4 * 40 + 4) * 3]!).toBeLessThan(80)
  })

  test('rejects images over 50 megapixels by the header alone, and data that is not an image', async () => {
    const huge = await sharp({ create: { width: 9000, height: 6000, channels: 3, background: '#fff' } })
      .png()
      .toBuffer()
    await expect(decodeImage(huge)).rejects.toMatchObject({ code: 'unprocessable' })
    await expect(decodeImage(Buffer.from('no picture'))).rejects.toMatchObject({ code: 'unprocessable' })
    const gif = await photo(20, 20).gif().toBuffer()
    await expect(decodeImage(gif)).rejects.toMatchObject({ code: 'unprocessable' })
  })
})

test('quarter turns are clockwise, and four of them are the identity', () => {
  // 2 × 3: a b / c d / e f
  const raster = {
    data: Uint8Array.from('abcdef', (c) => c.charCodeAt(0)),
    width: 2,
    height: 3,
    channels: 1,
  } as const
  const text = (turns: 1 | 2 | 3) => String.fromCharCode(...turnRaster(raster, turns).data)
  expect([text(1), text(2), text(3)]).toEqual(['ecafdb', 'fedcba', 'bdface'])
  expect(turnRaster(raster, 1)).toMatchObject({ width: 3, height: 2 })
  expect(turnRaster(turnRaster(raster, 1), 3)).toEqual(raster)
})

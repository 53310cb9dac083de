import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import type { RgbImage } from './image.ts'
import { shrinkByArea } from './shrink-by-area.ts'

const image = (
  width: number,
  height: number,
  value: (x: number, y: number, channel: number) => number,
): RgbImage => ({
  width,
  height,
  data: Uint8Array.from({ length: width * height * 3 }, (_, index) => {
    const pixel = Math.floor(index / 3)
    return value(pixel % width, Math.floor(pixel / width), index % 3)
  }),
})

/** Direct computation of the definition: the integral of the source over the target pixel, divided by its area. */
function areaAverage(
  source: RgbImage,
  width: number,
  height: number,
  x: number,
  y: number,
  channel: number,
): number {
  const overlap = (position: number, target: number, ratio: number) =>
    Math.max(0, Math.min(position + 1, (target + 1) * ratio) - Math.max(position, target * ratio))
  const [rx, ry] = [source.width / width, source.height / height]
  let sum = 0
  for (let sy = 0; sy < source.height; sy += 1)
    for (let sx = 0; sx < source.width; sx += 1)
      sum += overlap(sx, x, rx) * overlap(sy, y, ry) * source.data[(sy * source.width + sx) * 3 + channel]!
  return sum / (rx * ry)
}

describe('shrinkByArea', () => {
  test('averages 2 × 2 pixels when halving', () => {
    const source = image(4, 2, (x, y, channel) => 10 * x + 100 * y + channel)
    expect([...shrinkByArea(source, 2, 1).data]).toEqual([55, 56, 57, 75, 76, 77])
  })

  test('equals the integral over the covered area within one level, for any size', () => {
    const side = fc.integer({ min: 1, max: 16 })
    fc.assert(
      fc.property(side, side, side, side, fc.integer(), (a, b, c, d, seed) => {
        const [width, targetWidth] = [Math.max(a, b), Math.min(a, b)]
        const [height, targetHeight] = [Math.max(c, d), Math.min(c, d)]
        const source = image(
          width,
          height,
          (x, y, channel) => Math.imul(seed ^ (x * 7919 + y * 104729 + channel), 2654435761) >>> 24,
        )
        const shrunk = shrinkByArea(source, targetWidth, targetHeight)
        let worst = 0
        for (let y = 0; y < targetHeight; y += 1)
          for (let x = 0; x < targetWidth; x += 1)
            for (let channel = 0; channel < 3; channel += 1) {
              const exact = areaAverage(source, targetWidth, targetHeight, x, y, channel)
              const value = shrunk.data[(y * targetWidth + x) * 3 + channel]!
              worst = Math.max(worst, Math.abs(value - exact))
            }
        expect(worst).toBeLessThanOrEqual(0.75)
      }),
      { numRuns: 50 },
    )
  })

  test('returns an image of the target size unchanged', () => {
    const source = image(3, 3, () => 7)
    expect(shrinkByArea(source, 3, 3)).toBe(source)
  })

  test('rejects enlarging', () => {
    expect(() =>
      shrinkByArea(
        image(2, 2, () => 0),
        3,
        2,
      ),
    ).toThrow(RangeError)
  })
})

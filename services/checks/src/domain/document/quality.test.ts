import { describe, expect, test } from '@jest/globals'
import { measureQuality, qualityIssues, qualityScore } from './quality.ts'

const width = 320
const height = 224

/** Dark bars on a light page with edges `edge` pixels wide, under light between 0 and 1. */
function page(edge: number, light = 1) {
  const row = Uint8Array.from({ length: width }, (_, x) => {
    const up = Math.min(1, Math.max(0, ((x % 40) - 10) / edge))
    const down = Math.min(1, Math.max(0, ((x % 40) - 28) / edge))
    return Math.round((210 - 170 * (up - down)) * light)
  })
  const data = new Uint8Array(width * height)
  for (let y = 0; y < height; y++) data.set(row, y * width)
  return { data, width, height }
}

/** An overexposed spot that fades into the page over `fade` pixels. */
function withSpot(image: ReturnType<typeof page>, radius: number, fade: number) {
  const { hypot, max, round } = Math
  const data = image.data.map((value, at) => {
    const far = hypot((at % width) - width / 2, at / width - height / 2) - radius
    const share = far <= 0 ? 1 : max(0, 1 - far / fade)
    return round(value * (1 - share) + 255 * share)
  })
  return { ...image, data }
}

describe('measureQuality', () => {
  test('sharpness is the reciprocal of the edge width', () => {
    for (const edge of [2, 4, 6]) {
      expect(measureQuality(page(edge), 1000).sharpness).toBeCloseTo(1 / edge, 1)
    }
  })

  test('neither brightness nor contrast changes sharpness', () => {
    const full = measureQuality(page(4), 1000).sharpness!
    expect(measureQuality(page(4, 0.4), 1000).sharpness).toBeCloseTo(full, 1)
  })

  test('distinguishes blurred, dark and small images from a good one', () => {
    expect(qualityIssues(measureQuality(page(2), 1000))).toEqual([])
    expect(qualityIssues(measureQuality(page(7), 1000))).toEqual(['image_blurry'])
    expect(qualityIssues(measureQuality(page(2, 0.15), 1000))).toEqual(['image_dark'])
    expect(qualityIssues(measureQuality(page(2), 240))).toEqual(['image_low_resolution'])
  })

  test('detects a reflection, and none in white paper with a sharp edge', () => {
    expect(measureQuality(withSpot(page(2), 80, 50), 1000).glare).toBeGreaterThan(0.15)
    expect(measureQuality(withSpot(page(2), 80, 1), 1000).glare).toBeLessThan(0.01)
  })

  test('an image of one colour has no sharpness and causes no error', () => {
    const quality = measureQuality({ data: new Uint8Array(width * height).fill(128), width, height }, 1000)
    expect(quality.sharpness).toBe(0)
    expect(qualityScore(quality)).toBe(0)
  })
})

import { describe, expect, test } from '@jest/globals'
import { type ColourImage, measureScreenPattern, SCREEN_PATTERN_THRESHOLD } from './screen-pattern.ts'

const { PI, SQRT2, abs, cos, floor, imul, max, min, sin } = Math
const width = 768
const height = 512
type Light = readonly [number, number, number]
type Surface = (x: number, y: number) => Light

/** Even light with sensor noise; 2 × 2 samples per pixel. */
function photograph(surface: Surface, size = { width, height }): ColourImage {
  let seed = 1
  const data = new Uint8Array(size.width * size.height * 3)
  for (let y = 0, o = 0; y < size.height; y++) {
    for (let x = 0; x < size.width; x++) {
      const [a, b, c, d] = [
        surface(x, y),
        surface(x + 0.5, y),
        surface(x, y + 0.5),
        surface(x + 0.5, y + 0.5),
      ]
      for (let channel = 0; channel < 3; channel++) {
        seed = (imul(seed, 1_664_525) + 1_013_904_223) >>> 0
        const light = (a[channel]! + b[channel]! + c[channel]! + d[channel]!) / 4
        data[o++] = min(255, max(0, light + (seed / 2 ** 32 - 0.5) * 10))
      }
    }
  }
  return { data, ...size }
}

const turned = (surface: Surface, degrees: number): Surface => {
  const [c, s] = [cos((degrees * PI) / 180), sin((degrees * PI) / 180)]
  return (x, y) => surface(x * c + y * s, y * c - x * s)
}

/** Strokes of letters, with no two lines alike. */
const inked = (column: number, line: number) =>
  imul(imul(column + 31 * line, 0x9e3779b1) >>> 15, 0x85ebca6b) % 5 > 0

/**
 * A page with a guilloche of fine waves, a darker portrait, printed lines, and two lines of fillers at a fixed pitch.
 */
const page: Surface = (x, y) => {
  const wave = y + 14 * sin(x / 60) + 6 * sin(x / 17 + y / 90)
  const net = x - 18 * cos(y / 45) + 5 * sin(y / 13)
  let light = 215 - (wave % 5 < 1.5 ? 30 : 0) - (abs(net) % 7 < 1.5 ? 22 : 0)
  if (x > 40 && x < 260 && y > 120 && y < 420) light -= 70 + 20 * sin(x / 30) * cos(y / 25)
  const onLine = y > 110 && y < 400 && x > 300 && x < 820 && y % 40 < 14
  if (onLine && inked(floor(x / 4), floor(y / 40))) light = 40
  const filler = y > 420 && y < 500 && y % 50 < 24 && abs((x % 18) - 9 - abs((y % 50) - 12) / 2) < 2
  return filler ? [30, 30, 40] : [light, light * 0.97, light * 0.9]
}

/** A surface shown on a panel: each pixel is a red, a green and a blue stripe, `scale` camera pixels wide. */
const onScreen =
  (surface: Surface, scale: number): Surface =>
  (x, y) => {
    const column = floor(x / scale)
    const shown = surface((column + 0.5) * scale, (floor(y / scale) + 0.5) * scale)
    const across = x / scale - column
    const stripe = (c: number) => (abs(across - (c + 0.5) / 3) < 1 / 6 ? shown[c]! : shown[c]! * 0.25)
    return [stripe(0), stripe(1), stripe(2)]
  }

/** A print in one ink whose halftone dots, `cell` camera pixels apart at 45°, produce the tone. */
const onPaper =
  (surface: Surface, cell: number): Surface =>
  (x, y) => {
    const a = (2 * PI * (x + y)) / (SQRT2 * cell)
    const b = (2 * PI * (x - y)) / (SQRT2 * cell)
    const ink = 0.5 + (cos(a) + cos(b)) / 4 > surface(x, y)[0] / 255
    return ink ? [35, 35, 35] : [240, 240, 240]
  }

const measured = (surface: Surface) => measureScreenPattern(photograph(surface))!

describe('measureScreenPattern', () => {
  test('does not report guilloches, print and fillers of a page, straight or rotated', () => {
    for (const degrees of [0, 7]) {
      expect(measured(turned(page, degrees))).toBeLessThan(SCREEN_PATTERN_THRESHOLD)
    }
  })

  test('detects the pixels of a screen, finer and coarser than the camera’s, in most of the image', () => {
    for (const [scale, degrees] of [
      [1.3, 4],
      [3.3, 3],
    ] as const) {
      expect(measured(turned(onScreen(page, scale), degrees))).toBeGreaterThan(0.8)
    }
  })

  test('detects the halftone raster of a print', () => {
    expect(measured(turned(onPaper(page, 4.3), 4))).toBeGreaterThan(SCREEN_PATTERN_THRESHOLD)
  })

  test('is proportional to the part of the image that a screen covers', () => {
    const screen = turned(onScreen(page, 2.1), 7)
    const quarter = measured((x, y) => (x < width / 2 && y < height / 2 ? screen(x, y) : page(x, y)))
    expect(quarter).toBeGreaterThan(0.1)
    expect(quarter).toBeLessThan(SCREEN_PATTERN_THRESHOLD)
  })

  test('returns null for an image that is too small, black or overexposed', () => {
    expect(measureScreenPattern(photograph(page, { width: 320, height: 240 }))).toBeNull()
    expect(measureScreenPattern({ data: new Uint8Array(width * height * 3), width, height })).toBeNull()
    const white = new Uint8Array(width * height * 3).fill(255)
    expect(measureScreenPattern({ data: white, width, height })).toBeNull()
  })

  test('finds no pattern in a uniformly grey image', () => {
    const grey = new Uint8Array(width * height * 3).fill(128)
    expect(measureScreenPattern({ data: grey, width, height })).toBe(0)
  })
})

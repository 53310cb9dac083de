import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { cardAspect, guideIn, ovalIn, type Rect } from '../guide.ts'
import { findEdges } from './card-edges.ts'
import { type Grey, greyOf, sharpnessOf } from './grey.ts'
import { type DocumentHint, documentBounds, edgeHint, judgeDocument } from './judge-document.ts'
import { judgeFace } from './judge-face.ts'

const size = { width: 320, height: 180 }
const guide = guideIn(size.width, size.height, cardAspect)

/** Creates a picture from a function of its coordinates. */
function picture(level: (x: number, y: number) => number, { width, height } = size): Grey {
  const data = new Uint8ClampedArray(width * height)
  for (let y = 0; y < height; y += 1) for (let x = 0; x < width; x += 1) data[y * width + x] = level(x, y)
  return { data, width, height }
}

const within = ({ x, y, width, height }: Rect, px: number, py: number) =>
  px >= x && px < x + width && py >= y && py < y + height

/** A light card with lines of print on a dark table; shifted and scaled relative to its size. */
const card = (change: { dx?: number; dy?: number; scale?: number; light?: number } = {}) => {
  const { dx = 0, dy = 0, scale = 1, light = 210 } = change
  const width = guide.width * scale
  const height = guide.height * scale
  const area = {
    x: guide.x + (guide.width - width) / 2 + dx * guide.width,
    y: guide.y + (guide.height - height) / 2 + dy * guide.height,
    width,
    height,
  }
  return picture((x, y) => (within(area, x, y) ? (y % 8 < 2 && x % 5 < 3 ? light * 0.4 : light) : 40))
}
/** Strokes at native size whose edges are about `blur` pixels wide; `contrast` 0 to 1. */
const print = (blur: number, contrast = 1) =>
  picture(
    (x, y) => {
      const wave = Math.sin((x * Math.PI) / 24) + 0.3 * Math.sin((y * Math.PI) / 16)
      return 125 + 75 * contrast * Math.tanh((wave * 12) / blur)
    },
    { width: 192, height: 128 },
  )
const verdict = (small: Grey, native = print(1), before: Grey | null = small): DocumentHint =>
  judgeDocument(small, before, native, guide)

describe('a frame with a document', () => {
  test('is accepted if the document is in the guide, lit, sharp and still', () => {
    expect(verdict(card())).toBe('ok')
  })

  test('reports the most important problem first', () => {
    expect(verdict(card({ light: 45 }))).toBe('dark')
    expect(verdict(picture(() => 120))).toBe('fit')
    expect(verdict(card({ scale: 0.85 }))).toBe('closer')
    expect(verdict(card({ dx: 0.12 }))).toBe('left')
    expect(verdict(card({ dx: -0.12 }))).toBe('right')
    expect(verdict(card(), print(16))).toBe('blur')
    expect(
      verdict(
        card(),
        print(1),
        picture(() => 90),
      ),
    ).toBe('motion')
  })

  test('is rejected with a reflection', () => {
    const shining = card()
    for (let y = 70; y < 110; y += 1)
      for (let x = 130; x < 190; x += 1) shining.data[y * size.width + x] = 255
    expect(verdict(shining)).toBe('glare')
  })

  test('needs all four sides at the guide', () => {
    fc.assert(
      fc.property(
        fc.record({
          dx: fc.double({ min: -0.5, max: 0.5, noNaN: true }),
          scale: fc.double({ min: 0.4, max: 1.1, noNaN: true }),
        }),
        ({ dx, scale }) => {
          const hint = edgeHint(findEdges(card({ dx, scale }), guide))
          if (hint !== null) return
          expect(Math.abs(dx) + Math.abs(scale - 1) / 2).toBeLessThanOrEqual(documentBounds.edge + 0.03)
        },
      ),
      { numRuns: 40 },
    )
  })

  test('does not detect a document in the strong grain of an empty table', () => {
    const grain = picture((x, y) => 90 + ((x * 7919 + y * 104_729) % 97))
    expect(verdict(grain)).toBe('fit')
  })
})

describe('sharpness', () => {
  test('decreases with blur but not with lower contrast', () => {
    const [sharp, soft, faint] = [print(1), print(16), print(1, 0.35)].map((grey) => sharpnessOf(grey) ?? 0)
    expect(sharp).toBeGreaterThan(documentBounds.sharpness)
    expect(faint).toBeGreaterThan(documentBounds.sharpness)
    expect(soft).toBeLessThan(documentBounds.sharpness)
  })

  test('is null without print', () => {
    expect(sharpnessOf(picture(() => 128))).toBeNull()
  })
})

describe('a frame with a face', () => {
  const oval = ovalIn(size.width, size.height)
  const middle = { x: oval.x + oval.width / 2, y: oval.y + oval.height / 2 }
  /** Eyes, nose bridge and cheeks as light and dark patches, relative to a skin level. */
  const face = (skin: number) =>
    picture((x, y) => {
      const [u, v] = [(x - middle.x) / oval.width, (y - middle.y) / oval.height]
      if (u * u + v * v > 0.25) return skin * 0.6 + 60
      const eye = Math.abs(Math.abs(u) - 0.2) < 0.1 && Math.abs(v + 0.09) < 0.05
      return eye ? skin * 0.45 : skin
    })

  test('is detected equally on light and dark skin', () => {
    for (const skin of [90, 130, 200]) expect(judgeFace(face(skin), face(skin), null, oval)).toBe('ok')
  })

  test('is not detected on a wall or at the edge of a window', () => {
    expect(
      judgeFace(
        picture(() => 140),
        null,
        null,
        oval,
      ),
    ).toBe('face')
    expect(
      judgeFace(
        picture((x) => (x < 160 ? 90 : 190)),
        null,
        null,
        oval,
      ),
    ).toBe('face')
  })

  test('is reported as dark in low light', () => {
    expect(judgeFace(face(40), null, null, oval)).toBe('dark')
  })
})

test('greyOf converts a colour to its luma', () => {
  const [white, red] = greyOf(new Uint8ClampedArray([255, 255, 255, 255, 255, 0, 0, 255]), 2, 1).data
  expect([white, red]).toEqual([255, 76])
})

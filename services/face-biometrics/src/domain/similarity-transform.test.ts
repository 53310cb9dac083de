import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import {
  applySimilarityTransform,
  fitSimilarityTransform,
  invertSimilarityTransform,
} from './similarity-transform.ts'

const coordinate = fc.double({ min: -500, max: 500, noNaN: true })
const point = fc.record({ x: coordinate, y: coordinate })
const apart = (points: readonly { x: number; y: number }[]) =>
  points.some((a) => points.some((b) => Math.hypot(a.x - b.x, a.y - b.y) > 1))

describe('fitSimilarityTransform', () => {
  test('recovers a rotation, scale and translation from the points they moved', () => {
    fc.assert(
      fc.property(
        fc.array(point, { minLength: 2, maxLength: 8 }).filter(apart),
        fc.double({ min: -3, max: 3, noNaN: true }),
        fc.double({ min: 0.1, max: 10, noNaN: true }),
        point,
        (points, angle, scale, shift) => {
          const truth = { a: scale * Math.cos(angle), b: scale * Math.sin(angle), tx: shift.x, ty: shift.y }
          const found = fitSimilarityTransform(
            points,
            points.map((item) => applySimilarityTransform(truth, item)),
          )!
          for (const key of ['a', 'b', 'tx', 'ty'] as const) expect(found[key]).toBeCloseTo(truth[key], 4)
        },
      ),
    )
  })

  test('is a local optimum: no small change brings it nearer to the targets', () => {
    const from = [
      { x: 0, y: 0 },
      { x: 10, y: 1 },
      { x: 4, y: 9 },
    ]
    const to = [
      { x: 5, y: 5 },
      { x: 17, y: 3 },
      { x: 9, y: 20 },
    ]
    const best = fitSimilarityTransform(from, to)!
    const error = (transform: typeof best) =>
      from.reduce((sum, item, index) => {
        const moved = applySimilarityTransform(transform, item)
        return sum + (moved.x - to[index]!.x) ** 2 + (moved.y - to[index]!.y) ** 2
      }, 0)
    for (const key of ['a', 'b', 'tx', 'ty'] as const)
      for (const change of [-1e-3, 1e-3])
        expect(error({ ...best, [key]: best[key] + change })).toBeGreaterThan(error(best))
  })

  test('is null if all points coincide', () => {
    const points = [
      { x: 3, y: 3 },
      { x: 3, y: 3 },
    ]
    expect(fitSimilarityTransform(points, points)).toBeNull()
  })
})

describe('invertSimilarityTransform', () => {
  test('undoes the transform', () => {
    const transform = { a: 1.5, b: -0.4, tx: 12, ty: -7 }
    const back = applySimilarityTransform(
      invertSimilarityTransform(transform)!,
      applySimilarityTransform(transform, { x: 3, y: 4 }),
    )
    expect(back.x).toBeCloseTo(3, 9)
    expect(back.y).toBeCloseTo(4, 9)
  })

  test('is null for a transform with scale zero', () => {
    expect(invertSimilarityTransform({ a: 0, b: 0, tx: 1, ty: 1 })).toBeNull()
  })
})

import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import {
  convexHull,
  growRectangle,
  minimumAreaRectangle,
  type Point,
  quadAngle,
  quadHeight,
  quadWidth,
} from './geometry.ts'
import { project, rectify, unitSquareTo } from './warp.ts'

const rectangle = (angle: number, width: number, height: number): Point[] => {
  const turn = (x: number, y: number) => ({
    x: 300 + x * Math.cos(angle) - y * Math.sin(angle),
    y: 200 + x * Math.sin(angle) + y * Math.cos(angle),
  })
  return [turn(0, 0), turn(width, 0), turn(width, height), turn(0, height)]
}

describe('minimumAreaRectangle', () => {
  test('recovers a tilted rectangle, with its first corner at the top left of the text', () => {
    fc.assert(
      fc.property(fc.double({ min: -0.7, max: 0.7, noNaN: true }), (angle) => {
        const quad = minimumAreaRectangle(convexHull(rectangle(angle, 200, 20)))!
        expect(quadWidth(quad)).toBeCloseTo(200, 3)
        expect(quadHeight(quad)).toBeCloseTo(20, 3)
        expect(quadAngle(quad)).toBeCloseTo(angle, 3)
      }),
    )
  })

  test('contains every point', () => {
    const points = fc.array(
      fc.record({ x: fc.integer({ min: 0, max: 500 }), y: fc.integer({ min: 0, max: 500 }) }),
      {
        minLength: 3,
        maxLength: 40,
      },
    )
    fc.assert(
      fc.property(points, (cloud) => {
        const quad = minimumAreaRectangle(convexHull(cloud))
        if (!quad) return
        const wide = growRectangle(quad, 0.01, 0.01)
        for (const p of cloud) {
          for (let i = 0; i < 4; i++) {
            const a = wide[i]!
            const b = wide[(i + 1) % 4]!
            expect((b.x - a.x) * (p.y - a.y) - (b.y - a.y) * (p.x - a.x)).toBeGreaterThanOrEqual(-1e-6)
          }
        }
      }),
    )
  })

  test('returns no rectangle for points on one line', () => {
    expect(
      minimumAreaRectangle(
        convexHull([
          { x: 0, y: 0 },
          { x: 5, y: 5 },
          { x: 9, y: 9 },
        ]),
      ),
    ).toBeNull()
  })
})

test('the projective map takes the corners of the unit square to the given corners', () => {
  const quad = [
    { x: 10, y: 20 },
    { x: 210, y: 5 },
    { x: 240, y: 130 },
    { x: -5, y: 110 },
  ] as const
  const map = unitSquareTo(quad)
  const corners = [project(map, 0, 0), project(map, 1, 0), project(map, 1, 1), project(map, 0, 1)]
  corners.forEach((corner, i) => {
    expect(corner.x).toBeCloseTo(quad[i]!.x, 6)
    expect(corner.y).toBeCloseTo(quad[i]!.y, 6)
  })
})

test('rectify straightens a tilted strip and averages when it reduces', () => {
  const data = new Uint8Array(100 * 100).map((_, at) => (at % 100 < 50 ? 0 : 200))
  const image = { data, width: 100, height: 100, channels: 1 } as const
  const whole = [
    { x: 0, y: 0 },
    { x: 100, y: 0 },
    { x: 100, y: 100 },
    { x: 0, y: 100 },
  ] as const
  expect([...rectify(image, whole, 4, 1).data]).toEqual([0, 0, 200, 200])
  const turned = [whole[1], whole[2], whole[3], whole[0]] as const
  expect([...rectify(image, turned, 1, 4).data]).toEqual([200, 200, 0, 0])
})

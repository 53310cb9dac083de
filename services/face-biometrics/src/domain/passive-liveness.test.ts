import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { combineLiveness, livenessCrop, livenessInput } from './passive-liveness.ts'

describe('livenessCrop', () => {
  test('is the face with the margin, centred on the face', () => {
    const crop = livenessCrop({ width: 1000, height: 1000 }, { x: 400, y: 400, width: 100, height: 120 }, 2)
    expect(crop).toEqual({ left: 350, top: 340, right: 550, bottom: 580 })
  })

  test('moves inside at an edge, shrinks if the image is too small, and never exceeds the image', () => {
    const side = fc.integer({ min: 32, max: 640 })
    const position = fc.double({ min: -50, max: 650, noNaN: true })
    const length = fc.double({ min: 1, max: 700, noNaN: true })
    fc.assert(
      fc.property(side, side, position, position, length, length, (width, height, x, y, w, h) => {
        const crop = livenessCrop({ width, height }, { x, y, width: w, height: h }, 2.7)
        expect(crop.left).toBeGreaterThanOrEqual(0)
        expect(crop.top).toBeGreaterThanOrEqual(0)
        expect(crop.right).toBeLessThan(width)
        expect(crop.bottom).toBeLessThan(height)
        expect(crop.right).toBeGreaterThanOrEqual(crop.left)
        expect(crop.bottom).toBeGreaterThanOrEqual(crop.top)
      }),
    )
  })
})

describe('livenessInput', () => {
  test('is the crop at 80 × 80 as planes B, G, R with values 0 to 255', () => {
    const image = { width: 200, height: 200, data: new Uint8Array(200 * 200 * 3) }
    for (let pixel = 0; pixel < 200 * 200; pixel += 1) image.data.set([10, 20, 250], pixel * 3)
    const input = livenessInput(image, { x: 80, y: 80, width: 40, height: 40 }, 2.7)
    expect(input).toHaveLength(3 * 80 * 80)
    expect([input[0], input[80 * 80], input[2 * 80 * 80]]).toEqual([250, 20, 10])
  })
})

describe('combineLiveness', () => {
  test('is the mean probability of the live class', () => {
    expect(
      combineLiveness([Float32Array.from([0, 0.9, 0.1]), Float32Array.from([0.5, 0.3, 0.2])]),
    ).toBeCloseTo(0.6)
  })
})

import { describe, expect, test } from '@jest/globals'
import { alignFace, sfaceInput } from './align-face.ts'
import type { FaceLandmarks } from './face.ts'

const template: FaceLandmarks = {
  right_eye: { x: 38.2946, y: 51.6963 },
  left_eye: { x: 73.5318, y: 51.5014 },
  nose_tip: { x: 56.0252, y: 71.7366 },
  right_mouth_corner: { x: 41.5493, y: 92.3655 },
  left_mouth_corner: { x: 70.7299, y: 92.2041 },
}
const moved = (landmarks: FaceLandmarks, dx: number, dy: number): FaceLandmarks =>
  Object.fromEntries(
    Object.entries(landmarks).map(([name, { x, y }]) => [name, { x: x + dx, y: y + dy }]),
  ) as FaceLandmarks

const gradient = (width: number, height: number) => ({
  width,
  height,
  data: Uint8Array.from({ length: width * height * 3 }, (_, index) => (Math.floor(index / 3) % width) + 1),
})

describe('alignFace', () => {
  test('copies a face that already matches the template', () => {
    const image = gradient(112, 112)
    expect(alignFace(image, { landmarks: template })!.data).toEqual(image.data)
  })

  test('shifts by whole pixels without changing them and fills with black outside the image', () => {
    const image = gradient(150, 150)
    const aligned = alignFace(image, { landmarks: moved(template, 45, -3) })!
    const value = (x: number, y: number) => aligned.data[(y * 112 + x) * 3]
    expect(value(0, 3)).toBe(46)
    expect(value(60, 50)).toBe(106)
    expect(value(110, 50)).toBe(0)
    expect(value(60, 2)).toBe(0)
  })

  test('interpolates bilinearly, both inside the image and at its edge', () => {
    const image = {
      width: 200,
      height: 200,
      data: new Uint8Array(200 * 200 * 3).map((_, at) => (at * 37) % 251),
    }
    const at = (x: number, y: number, channel: number) =>
      x < 0 || y < 0 || x >= 200 || y >= 200 ? 0 : image.data[(y * 200 + x) * 3 + channel]!
    // 10.25 and 7.5 lie on the grid of 1/32 pixel; the second face extends beyond the image on all sides but one.
    for (const [dx, dy] of [
      [10.25, 7.5],
      [-20.75, -30.5],
      [120.25, 110.5],
    ] as const) {
      const aligned = alignFace(image, { landmarks: moved(template, dx, dy) })!
      const [left, top, fx, fy] = [Math.floor(dx), Math.floor(dy), dx - Math.floor(dx), dy - Math.floor(dy)]
      for (let pixel = 0; pixel < 112 * 112; pixel += 97) {
        const [x, y] = [left + (pixel % 112), top + Math.floor(pixel / 112)]
        const expected =
          (at(x, y, 1) * (1 - fx) + at(x + 1, y, 1) * fx) * (1 - fy) +
          (at(x, y + 1, 1) * (1 - fx) + at(x + 1, y + 1, 1) * fx) * fy
        expect(aligned.data[pixel * 3 + 1]).toBe(Math.floor(expected + 0.5))
      }
    }
  })

  test('is null if the landmarks coincide', () => {
    const point = { x: 5, y: 5 }
    const landmarks = {
      right_eye: point,
      left_eye: point,
      nose_tip: point,
      right_mouth_corner: point,
      left_mouth_corner: point,
    }
    expect(alignFace(gradient(10, 10), { landmarks })).toBeNull()
  })
})

describe('sfaceInput', () => {
  test('lays out R, G, B planes', () => {
    const image = { width: 2, height: 1, data: Uint8Array.from([1, 2, 3, 4, 5, 6]) }
    expect([...sfaceInput(image)]).toEqual([1, 4, 2, 5, 3, 6])
  })
})

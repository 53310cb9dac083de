import { describe, expect, test } from '@jest/globals'
import { decodeYunet, type YunetGrid, yunetInput, yunetInputSize } from './yunet.ts'

/** A grid over a 64 × 64 input with stride 32: 2 × 2 cells, all empty. */
const emptyGrid = (): YunetGrid => ({
  stride: 32,
  cls: new Float32Array(4),
  obj: new Float32Array(4),
  bbox: new Float32Array(16),
  kps: new Float32Array(40),
})

describe('yunetInputSize', () => {
  test('rounds each side up to a multiple of 32', () => {
    expect(yunetInputSize(640, 427)).toEqual({ width: 640, height: 448 })
    expect(yunetInputSize(1, 33)).toEqual({ width: 32, height: 64 })
  })
})

describe('yunetInput', () => {
  test('lays out B, G, R planes with the image in the upper left corner and zeros elsewhere', () => {
    const image = { width: 2, height: 1, data: Uint8Array.from([1, 2, 3, 4, 5, 6]) }
    expect([...yunetInput(image, 3, 2)]).toEqual([3, 6, 0, 0, 0, 0, 2, 5, 0, 0, 0, 0, 1, 4, 0, 0, 0, 0])
  })

  test('leaves nothing of the previous image in a reused buffer', () => {
    const buffer = new Float32Array(20).fill(9)
    const image = { width: 2, height: 1, data: Uint8Array.from([1, 2, 3, 4, 5, 6]) }
    expect([...yunetInput(image, 3, 2, buffer)]).toEqual([...yunetInput(image, 3, 2)])
    expect(yunetInput(image, 3, 2, buffer).buffer).toBe(buffer.buffer)
  })
})

describe('decodeYunet', () => {
  test('places box and landmarks relative to their cell', () => {
    const grid = emptyGrid()
    grid.cls[3] = 1
    grid.obj[3] = 0.81
    grid.bbox.set([0.5, 0.25, Math.log(1), Math.log(2)], 12)
    grid.kps.set([0, 0, 1, 0, 0.5, 0.5, 0, 1, 1, 1], 30)
    const [face, ...others] = decodeYunet([grid], 64)
    expect(others).toEqual([])
    expect(face!.score).toBeCloseTo(0.9, 6)
    expect(face!.box.x).toBeCloseTo(32 * 1.5 - 16, 4)
    expect(face!.box.y).toBeCloseTo(32 * 1.25 - 32, 4)
    expect(face!.box.width).toBeCloseTo(32, 4)
    expect(face!.box.height).toBeCloseTo(64, 4)
    expect(face!.landmarks.right_eye).toEqual({ x: 32, y: 32 })
    expect(face!.landmarks.left_eye).toEqual({ x: 64, y: 32 })
    expect(face!.landmarks.nose_tip).toEqual({ x: 48, y: 48 })
    expect(face!.landmarks.left_mouth_corner).toEqual({ x: 64, y: 64 })
  })

  test('clips scores that the network returns outside 0 to 1', () => {
    const grid = emptyGrid()
    grid.cls[0] = 1.2
    grid.obj[0] = 1.1
    grid.cls[1] = -0.3
    grid.obj[1] = -0.9
    expect(decodeYunet([grid], 64).map(({ score }) => score)).toEqual([1])
  })

  test('omits detections below the counted score', () => {
    const grid = emptyGrid()
    grid.cls[0] = 0.59
    grid.obj[0] = 0.6
    expect(decodeYunet([grid], 64)).toEqual([])
  })

  test('keeps the best of overlapping candidates and all separate ones', () => {
    const grid = emptyGrid()
    grid.cls.fill(1)
    grid.obj.set([0.9, 0.95, 0.7, 0.8])
    // The first two cells detect the same face, the others one separate face each.
    grid.bbox.set([1, 0, 0, 0], 0)
    grid.bbox.set([0, 0, 0, 0], 4)
    const scores = decodeYunet([grid], 64).map(({ score }) => score ** 2)
    expect(scores).toHaveLength(3)
    expect(scores[0]).toBeCloseTo(0.95, 6)
    expect(scores[2]).toBeCloseTo(0.7, 6)
  })
})

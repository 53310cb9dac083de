import { expect, test } from '@jest/globals'
import { bestFace, type FaceGrid } from './portrait.ts'

const empty = (stride: number, cells: number): FaceGrid => ({
  stride,
  cls: new Float32Array(cells),
  obj: new Float32Array(cells),
  bbox: new Float32Array(cells * 4),
})
const withFace = (grid: FaceGrid, cell: number, probability: number, bbox: number[]) => {
  grid.cls[cell] = probability
  grid.obj[cell] = probability
  grid.bbox.set(bbox, cell * 4)
  return grid
}

test('maps the highest-scoring face of all grids to image coordinates', () => {
  const fine = withFace(empty(8, 64), 10, 0.7, [0, 0, 0, 0])
  // Column 1, row 1 of cells of 32: centre 40, 48; 32 wide, 64 high.
  const coarse = withFace(empty(32, 4), 3, 0.95, [0.25, 0.5, 0, Math.log(2)])
  const face = bestFace([fine, coarse], 64, { width: 64, height: 64 })!
  expect(face.score).toBeCloseTo(0.95)
  expect(face.x).toBeCloseTo((40 - 16) / 64)
  expect(face.y).toBeCloseTo((48 - 32) / 64)
  expect(face.width).toBeCloseTo(0.5)
  expect(face.height).toBeCloseTo(1)
})

test('ignores a face below the minimum score', () => {
  expect(bestFace([withFace(empty(8, 64), 10, 0.5, [0, 0, 0, 0])], 64, { width: 64, height: 64 })).toBeNull()
  expect(bestFace([empty(8, 64)], 64, { width: 64, height: 64 })).toBeNull()
})

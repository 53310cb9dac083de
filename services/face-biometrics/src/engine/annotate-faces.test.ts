import { expect, test } from '@jest/globals'
import type { DetectedFace } from '../domain/face.ts'
import { annotateFaces } from './annotate-faces.ts'
import { decodeImage } from './decode-image.ts'

const face = (x: number, y: number): DetectedFace => ({
  box: { x, y, width: 60, height: 80 },
  landmarks: {
    right_eye: { x: x + 15, y: y + 25 },
    left_eye: { x: x + 45, y: y + 25 },
    nose_tip: { x: x + 30, y: y + 40 },
    right_mouth_corner: { x: x + 20, y: y + 60 },
    left_mouth_corner: { x: x + 40, y: y + 60 },
  },
  score: 0.93,
})

test('draws each box, landmark and score, even if a face extends beyond the image', async () => {
  const image = { width: 200, height: 160, data: new Uint8Array(200 * 160 * 3).fill(90) }
  const faces = [face(40, 50), face(170, -10)]
  const drawn = await decodeImage(await annotateFaces(image, faces, faces[0]!))
  const at = (x: number, y: number) => [...drawn.data.subarray((y * 200 + x) * 3).subarray(0, 3)]
  expect([drawn.width, drawn.height]).toEqual([200, 160])
  const [red, green, blue] = at(41, 100)
  expect(green! - Math.max(red!, blue!)).toBeGreaterThan(60)
  const [lr, lg, lb] = at(70, 90)
  expect(Math.min(lr!, lb!) - lg!).toBeGreaterThan(80)
  const [or, , ob] = at(171, 40)
  expect(or! - ob!).toBeGreaterThan(60)
  for (const value of at(20, 20)) expect(Math.abs(value - 90)).toBeLessThan(6)
})

import { describe, expect, test } from '@jest/globals'
import { bestFrame } from './best-frame.ts'
import type { FaceQuality } from './face-quality.ts'

const good: FaceQuality = {
  face_width: 250,
  eye_distance: 110,
  sharpness: 0.7,
  brightness: 0.5,
  underexposed: 0.02,
  overexposed: 0,
  pose: { yaw: 2, pitch: -3, roll: 0 },
  occlusion: 0,
}

describe('bestFrame', () => {
  test.each<[string, FaceQuality]>([
    ['turned', { ...good, pose: { yaw: 35, pitch: 0, roll: 0 } }],
    ['small', { ...good, face_width: 60 }],
    ['blurred', { ...good, sharpness: 0.1 }],
    ['covered', { ...good, occlusion: 0.6 }],
  ])('prefers a good face to a %s one', (_, worse) => {
    expect(bestFrame([worse, good])).toBe(1)
    expect(bestFrame([good, worse])).toBe(0)
  })

  test('skips frames without a face, and is −1 if no frame has one', () => {
    expect(bestFrame([null, good])).toBe(1)
    expect(bestFrame([null, null])).toBe(-1)
    expect(bestFrame([])).toBe(-1)
  })
})

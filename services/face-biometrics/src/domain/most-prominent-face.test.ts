import { describe, expect, test } from '@jest/globals'
import type { DetectedFace } from './face.ts'
import { mostProminentFace } from './most-prominent-face.ts'

const face = (side: number, score: number): DetectedFace => {
  const point = { x: 0, y: 0 }
  return {
    box: { x: 0, y: 0, width: side, height: side },
    landmarks: {
      right_eye: point,
      left_eye: point,
      nose_tip: point,
      right_mouth_corner: point,
      left_mouth_corner: point,
    },
    score,
  }
}

describe('mostProminentFace', () => {
  test('is the largest certain face, even if a smaller one is more certain', () => {
    const faces = [face(20, 0.99), face(60, 0.91), face(90, 0.7)]
    expect(mostProminentFace(faces)).toBe(faces[1])
  })

  test('is the largest of all if none is certain', () => {
    const faces = [face(20, 0.89), face(30, 0.61)]
    expect(mostProminentFace(faces)).toBe(faces[1])
  })

  test('is null without faces', () => {
    expect(mostProminentFace([])).toBeNull()
  })
})

import { describe, expect, test } from '@jest/globals'
import type { FaceLandmarks } from './face.ts'
import { estimatePose } from './pose.ts'

const radians = (degrees: number) => (degrees * Math.PI) / 180

/** Landmarks of an average head, rotated, in weak perspective; x to the image's right, y down, z to the camera. */
function headAt(pose: { yaw: number; pitch: number; roll: number }): FaceLandmarks {
  const [yaw, pitch, roll] = [radians(pose.yaw), radians(pose.pitch), radians(pose.roll)]
  const seen = (x: number, y: number, z: number) => {
    const turnedX = x * Math.cos(yaw) + z * Math.sin(yaw)
    const turnedZ = z * Math.cos(yaw) - x * Math.sin(yaw)
    const raisedY = y * Math.cos(pitch) - turnedZ * Math.sin(pitch)
    return {
      x: 300 + 2 * (turnedX * Math.cos(roll) - raisedY * Math.sin(roll)),
      y: 200 + 2 * (turnedX * Math.sin(roll) + raisedY * Math.cos(roll)),
    }
  }
  return {
    right_eye: seen(-32, 0, 0),
    left_eye: seen(32, 0, 0),
    nose_tip: seen(0, 36.5, 32),
    right_mouth_corner: seen(-26, 74, 8),
    left_mouth_corner: seen(26, 74, 8),
  }
}

describe('estimatePose', () => {
  test.each([
    { yaw: 0, pitch: 0, roll: 0 },
    { yaw: 30, pitch: 0, roll: 0 },
    { yaw: -25, pitch: 0, roll: 0 },
    { yaw: 0, pitch: 20, roll: 0 },
    { yaw: 0, pitch: -15, roll: 0 },
    { yaw: 0, pitch: 0, roll: 35 },
    { yaw: 20, pitch: 10, roll: -10 },
  ])('estimates %o within four degrees', (pose) => {
    const found = estimatePose(headAt(pose))
    for (const axis of ['yaw', 'pitch', 'roll'] as const)
      expect(Math.abs(found[axis] - pose[axis])).toBeLessThan(4)
  })

  test('detects no turn of a flat picture that is turned, tilted or squeezed', () => {
    const flat = headAt({ yaw: 0, pitch: 0, roll: 0 })
    const before = estimatePose(flat)
    // Under weak perspective, turning a sheet of paper is an affine map.
    for (const [a, b, c, d] of [
      [0.7, 0, 0, 1],
      [1, 0, 0, 0.7],
      [0.75, 0.15, -0.1, 0.95],
    ] as const) {
      const squeezed = Object.fromEntries(
        Object.entries(flat).map(([name, { x, y }]) => [name, { x: a * x + b * y, y: c * x + d * y }]),
      ) as FaceLandmarks
      const after = estimatePose(squeezed)
      expect(Math.abs(after.yaw - before.yaw)).toBeLessThan(3)
      expect(Math.abs(after.pitch - before.pitch)).toBeLessThan(3)
    }
  })
})

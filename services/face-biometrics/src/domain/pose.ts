import type { FaceLandmarks } from './face.ts'
import type { Point } from './image.ts'

/**
 * Head pose in degrees, estimated from five points: yaw is positive towards the person's left (the image's right),
 * pitch is positive upwards, roll is positive clockwise in the image.
 */
export type Pose = { yaw: number; pitch: number; roll: number }

/**
 * An average face in millimetres, seen from the front: eye centres at (±32, 0, 0), nose tip and mouth corners below
 * and in front of them. In-plane distances follow the recogniser's template; depths are anthropometric means.
 */
const HALF_EYE_DISTANCE = 32
const NOSE = { below: 36.5, depth: 32 }
const MOUTH = { below: 74, depth: 8 }

const degrees = (radians: number) => (radians * 180) / Math.PI
const middle = (a: Point, b: Point): Point => ({ x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 })

/**
 * The pose under weak perspective. The nose tip is in front of the plane of eyes and mouth, so a turn moves it
 * between them by depth · tan(angle); a flat picture keeps its ratios when turned and shows no such movement.
 * Individual proportions shift pitch by some degrees, so compare with the same person, not with zero.
 */
export function estimatePose(landmarks: FaceLandmarks): Pose {
  const { right_eye, left_eye, nose_tip, right_mouth_corner, left_mouth_corner } = landmarks
  const roll = Math.atan2(left_eye.y - right_eye.y, left_eye.x - right_eye.x)
  const [cos, sin] = [Math.cos(roll), Math.sin(roll)]
  const eyes = middle(right_eye, left_eye)
  const mouth = middle(right_mouth_corner, left_mouth_corner)
  // Coordinates parallel and perpendicular to the eye line, from the midpoint of the eyes.
  const along = (point: Point) => (point.x - eyes.x) * cos + (point.y - eyes.y) * sin
  const across = (point: Point) => (point.y - eyes.y) * cos - (point.x - eyes.x) * sin
  const eyeDistance = Math.hypot(left_eye.x - right_eye.x, left_eye.y - right_eye.y)
  const ratio = across(nose_tip) / across(mouth)
  // Relative to the line from the eyes' midpoint to the mouth's, so that an inaccurate eye line is not taken for a turn.
  const shift = along(nose_tip) - ratio * along(mouth)
  const depth = NOSE.depth - MOUTH.depth * (NOSE.below / MOUTH.below)
  const yaw = Math.atan2(shift * 2 * HALF_EYE_DISTANCE, eyeDistance * depth)
  const pitch = Math.atan2(NOSE.below - MOUTH.below * ratio, NOSE.depth - MOUTH.depth * ratio)
  return { yaw: degrees(yaw), pitch: degrees(pitch), roll: degrees(roll) }
}

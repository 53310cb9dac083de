import type { FaceLandmarks } from './face.ts'
import type { Point } from './image.ts'

/**
 * Where a head looks, in degrees, as estimated from five points: yaw is positive towards the person's left (the
 * image's right), pitch is positive upwards, roll is positive clockwise in the image.
 */
export type Pose = { yaw: number; pitch: number; roll: number }

/**
 * An average face in millimetres, seen from the front: eye centres at (±32, 0, 0), nose tip and mouth corners below
 * them and in front. Distances within the plane follow the recogniser's template; depths are anthropometric means.
 */
const HALF_EYE_DISTANCE = 32
const NOSE = { below: 36.5, depth: 32 }
const MOUTH = { below: 74, depth: 8 }

const degrees = (radians: number) => (radians * 180) / Math.PI
const middle = (a: Point, b: Point): Point => ({ x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 })

/**
 * The pose under weak perspective. The nose tip stands before the plane of eyes and mouth, so turning moves it
 * between them by depth · tan(angle); a flat picture that is turned keeps its ratios and shows no such movement.
 * A person's own proportions shift pitch by some degrees: compare with the same person, not with zero.
 */
export function estimatePose(landmarks: FaceLandmarks): Pose {
  const { right_eye, left_eye, nose_tip, right_mouth_corner, left_mouth_corner } = landmarks
  const roll = Math.atan2(left_eye.y - right_eye.y, left_eye.x - right_eye.x)
  const [cos, sin] = [Math.cos(roll), Math.sin(roll)]
  const eyes = middle(right_eye, left_eye)
  const mouth = middle(right_mouth_corner, left_mouth_corner)
  // Along the line of the eyes and at right angles to it, from the point between them.
  const along = (point: Point) => (point.x - eyes.x) * cos + (point.y - eyes.y) * sin
  const across = (point: Point) => (point.y - eyes.y) * cos - (point.x - eyes.x) * sin
  const eyeDistance = Math.hypot(left_eye.x - right_eye.x, left_eye.y - right_eye.y)
  const ratio = across(nose_tip) / across(mouth)
  // From the line between the eyes' and the mouth's middle, so that an inaccurate eye line is no turn.
  const shift = along(nose_tip) - ratio * along(mouth)
  const depth = NOSE.depth - MOUTH.depth * (NOSE.below / MOUTH.below)
  const yaw = Math.atan2(shift * 2 * HALF_EYE_DISTANCE, eyeDistance * depth)
  const pitch = Math.atan2(NOSE.below - MOUTH.below * ratio, NOSE.depth - MOUTH.depth * ratio)
  return { yaw: degrees(yaw), pitch: degrees(pitch), roll: degrees(roll) }
}

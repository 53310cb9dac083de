import type { FaceQuality } from './face-quality.ts'

/** Above this face width, in pixels, recognition does not improve. */
const AMPLE_WIDTH = 200

/** How well a face can be compared, 0 to 1: the product of factors for size, sharpness, frontal pose and occlusion. */
export function comparability(quality: FaceQuality): number {
  const size = Math.min(1, quality.face_width / AMPLE_WIDTH)
  const straight = Math.cos(
    (Math.min(90, Math.hypot(quality.pose.yaw, quality.pose.pitch / 2)) * Math.PI) / 180,
  )
  return size * straight * (0.5 + 0.5 * quality.sharpness) * (1 - quality.occlusion)
}

/** The index of the best face; −1 if no frame has one. */
export function bestFrame(qualities: readonly (FaceQuality | null)[]): number {
  let best = -1
  let highest = -1
  for (const [index, quality] of qualities.entries()) {
    const value = quality ? comparability(quality) : -1
    if (value > highest) {
      best = index
      highest = value
    }
  }
  return best
}

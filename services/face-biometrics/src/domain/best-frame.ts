import type { FaceQuality } from './face-quality.ts'

/** A face this wide, in pixels, gives all that the recogniser can use. */
const AMPLE_WIDTH = 200

/** How well a face can be compared, 0 to 1: its size, its sharpness and how straight it looks, each as a factor. */
export function comparability(quality: FaceQuality): number {
  const size = Math.min(1, quality.face_width / AMPLE_WIDTH)
  const straight = Math.cos(
    (Math.min(90, Math.hypot(quality.pose.yaw, quality.pose.pitch / 2)) * Math.PI) / 180,
  )
  return size * straight * (0.5 + 0.5 * quality.sharpness) * (1 - quality.occlusion)
}

/** The index of the best face; −1 where no frame has one. */
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

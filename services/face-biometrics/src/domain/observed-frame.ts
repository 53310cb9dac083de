import type { Pose } from './pose.ts'

/** What one frame of a sequence shows, as far as the rules need it. */
export type ObservedFrame = {
  /** SHA-256 of the decoded pixels: the same picture in another file is the same. */
  pixels_sha256: string
  /** Luma of the whole frame at 16 × 16, 0 to 255. */
  thumbnail: Float32Array
  /** Faces with a score that is certain. */
  faces: number
  /** The rest is about the most prominent face; null without one. */
  face: {
    /** Distance of the eyes divided by the frame's long side. */
    eye_distance: number
    /** The five landmarks as x, y in units of the frame's long side. */
    landmarks: Float32Array
    pose: Pose
    /** Of length one. */
    embedding: Float32Array
    /** Passive liveness, 0 to 1. */
    passive_score: number
  } | null
}

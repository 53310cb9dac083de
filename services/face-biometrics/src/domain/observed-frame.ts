import type { Pose } from './pose.ts'

/** The properties of one frame of a sequence that the rules need. */
export type ObservedFrame = {
  /** SHA-256 of the decoded pixels, so that the same picture in another file has the same hash. */
  pixels_sha256: string
  /** Luma of the whole frame at 16 × 16, 0 to 255. */
  thumbnail: Float32Array
  /** Number of faces with a certain score. */
  faces: number
  /** The most prominent face; null without one. */
  face: {
    /** Distance between the eyes divided by the frame's long side. */
    eye_distance: number
    /** The five landmarks as x, y in units of the frame's long side. */
    landmarks: Float32Array
    pose: Pose
    /** A unit vector. */
    embedding: Float32Array
    /** Passive liveness, 0 to 1. */
    passive_score: number
  } | null
}

import type { DetectedFace } from './face.ts'
import type { RgbImage } from './image.ts'
import type { Pose } from './pose.ts'
import { estimatePose } from './pose.ts'

/** What a face's picture is good for, measured on the aligned face unless said. */
export type FaceQuality = {
  /** Width of the face in pixels of the original image. */
  face_width: number
  /** Distance of the eyes in pixels of the original image. */
  eye_distance: number
  /** 0 (flat) to 1 (crisp): see `sharpness`. */
  sharpness: number
  /** Mean luma, 0 to 1. */
  brightness: number
  /** Share of pixels too dark to show anything, 0 to 1. */
  underexposed: number
  /** Share of pixels burnt out, 0 to 1. */
  overexposed: number
  pose: Pose
  /** 0 (free) to 1: an estimate, see `occlusion`. */
  occlusion: number
}

/** Luma of BT.601, 0 to 255: what faces were annotated and compressed in. */
export function lumaOf(image: RgbImage): Float32Array {
  const luma = new Float32Array(image.width * image.height)
  for (let pixel = 0, source = 0; pixel < luma.length; pixel += 1, source += 3)
    luma[pixel] =
      0.299 * image.data[source]! + 0.587 * image.data[source + 1]! + 0.114 * image.data[source + 2]!
  return luma
}

/** Variance of the Laplacian that sharpness calls 1/2: half of ordinary portraits at this size have more. */
const HALF_SHARP_VARIANCE = 120

/**
 * Variance v of the Laplacian (Pech-Pacheco et al., "Diatom autofocusing in brightfield microscopy", 2000) over the
 * middle of the aligned face, divided by contrast so that dim light is no blur, brought to 0..1 as v / (v + half).
 */
function sharpness(luma: Float32Array, side: number, contrast: number): number {
  const margin = Math.round(side * 0.15)
  let sum = 0
  let squares = 0
  let count = 0
  for (let y = margin; y < side - margin; y += 1) {
    for (let x = margin; x < side - margin; x += 1) {
      const at = y * side + x
      const laplacian = luma[at - 1]! + luma[at + 1]! + luma[at - side]! + luma[at + side]! - 4 * luma[at]!
      sum += laplacian
      squares += laplacian * laplacian
      count += 1
    }
  }
  const variance = squares / count - (sum / count) ** 2
  const scaled = variance * (50 / Math.max(contrast, 10)) ** 2
  return scaled / (scaled + HALF_SHARP_VARIANCE)
}

function deviation(values: Float32Array, mean: number): number {
  let squares = 0
  for (const value of values) squares += (value - mean) ** 2
  return Math.sqrt(squares / values.length)
}

/** From this score on a detection is of a face in full view; down to the counted one it loses sight of parts. */
const FULL_VIEW_SCORE = 0.93
const HIDDEN_SCORE = 0.6

/**
 * What hides a face lowers the detector's certainty: the estimate is how far the score is below that of a face in
 * full view. It names no part and sees no difference between a hand and a strong turn of the head.
 */
const occlusion = (score: number): number =>
  Math.min(1, Math.max(0, (FULL_VIEW_SCORE - score) / (FULL_VIEW_SCORE - HIDDEN_SCORE)))

/**
 * Measures a face. `aligned` is the recogniser's view of it; `scale` is working pixels per original pixel.
 */
export function measureFaceQuality(face: DetectedFace, aligned: RgbImage, scale: number): FaceQuality {
  const luma = lumaOf(aligned)
  let sum = 0
  let dark = 0
  let bright = 0
  for (const value of luma) {
    sum += value
    if (value < 25) dark += 1
    if (value > 245) bright += 1
  }
  const mean = sum / luma.length
  const { right_eye, left_eye } = face.landmarks
  return {
    face_width: face.box.width / scale,
    eye_distance: Math.hypot(left_eye.x - right_eye.x, left_eye.y - right_eye.y) / scale,
    sharpness: sharpness(luma, aligned.width, deviation(luma, mean)),
    brightness: mean / 255,
    underexposed: dark / luma.length,
    overexposed: bright / luma.length,
    pose: estimatePose(face.landmarks),
    occlusion: occlusion(face.score),
  }
}

export type FaceQualityIssue = 'face_dark' | 'face_bright' | 'face_low_quality'

/** Bounds under which recognition was measured to fail, or a reviewer could not compare. */
export const QUALITY_BOUNDS = {
  /** Pixels of the original. Under 20 some faces no longer match themselves; a reviewer needs more. */
  min_face_width: 60,
  min_sharpness: 0.08,
  min_brightness: 0.16,
  max_brightness: 0.86,
  max_underexposed: 0.6,
  max_overexposed: 0.3,
  /** Degrees to either side, up or down. */
  max_yaw: 40,
  max_pitch: 35,
  max_occlusion: 0.7,
} as const

/** What a person should do better, the most useful first; empty for a good picture. */
export function faceQualityIssues(quality: FaceQuality): FaceQualityIssue[] {
  const bounds = QUALITY_BOUNDS
  const issues: FaceQualityIssue[] = []
  if (quality.brightness < bounds.min_brightness || quality.underexposed > bounds.max_underexposed)
    issues.push('face_dark')
  if (quality.brightness > bounds.max_brightness || quality.overexposed > bounds.max_overexposed)
    issues.push('face_bright')
  if (
    quality.face_width < bounds.min_face_width ||
    quality.sharpness < bounds.min_sharpness ||
    Math.abs(quality.pose.yaw) > bounds.max_yaw ||
    Math.abs(quality.pose.pitch) > bounds.max_pitch ||
    quality.occlusion > bounds.max_occlusion
  )
    issues.push('face_low_quality')
  return issues
}

import type { DetectedFace } from './face.ts'
import type { RgbImage } from './image.ts'
import type { Pose } from './pose.ts'
import { estimatePose } from './pose.ts'

/** Quality of a face's picture, measured on the aligned face unless stated otherwise. */
export type FaceQuality = {
  /** Width of the face in pixels of the original image. */
  face_width: number
  /** Distance between the eyes in pixels of the original image. */
  eye_distance: number
  /** 0 (blurred) to 1 (sharp): see `sharpness`. */
  sharpness: number
  /** Mean luma, 0 to 1. */
  brightness: number
  /** Fraction of pixels too dark to show detail, 0 to 1. */
  underexposed: number
  /** Fraction of overexposed pixels, 0 to 1. */
  overexposed: number
  pose: Pose
  /** 0 (unobstructed) to 1: an estimate, see `occlusion`. */
  occlusion: number
}

/** BT.601 luma, 0 to 255, as in JPEG compression. */
export function lumaOf(image: RgbImage): Float32Array {
  const luma = new Float32Array(image.width * image.height)
  for (let pixel = 0, source = 0; pixel < luma.length; pixel += 1, source += 3)
    luma[pixel] =
      0.299 * image.data[source]! + 0.587 * image.data[source + 1]! + 0.114 * image.data[source + 2]!
  return luma
}

/** Variance of the Laplacian at which sharpness is 1/2: the median of ordinary portraits at this size. */
const HALF_SHARP_VARIANCE = 120

/**
 * Variance v of the Laplacian (Pech-Pacheco et al., "Diatom autofocusing in brightfield microscopy", 2000) over the
 * centre of the aligned face, divided by contrast so that dim light is not taken for blur, mapped to 0..1 as
 * v / (v + half).
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

/** At or above the first score a face is fully visible; towards the second, parts of it are increasingly hidden. */
const FULL_VIEW_SCORE = 0.93
const HIDDEN_SCORE = 0.6

/**
 * Occlusion lowers the detector's score, so the estimate is how far the score is below that of a fully visible face. It
 * does not identify the hidden part and cannot distinguish a hand from a strong turn of the head.
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

/** Bounds beyond which recognition was measured to fail, or a reviewer could not compare the faces. */
export const QUALITY_BOUNDS = {
  /** Pixels of the original. Below 20, some faces no longer match themselves; a reviewer needs more. */
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

/** Quality issues that the person should fix, most important first; empty for a good picture. */
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

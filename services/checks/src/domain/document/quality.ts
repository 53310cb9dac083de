import type { ImageQuality } from '@kyc/common'

/** A grey picture, row by row, 8 bits a pixel. */
export interface GreyImage {
  readonly data: Uint8Array
  readonly width: number
  readonly height: number
}

/** The longer side of the copy that sharpness, glare and brightness are measured on, in pixels. */
export const QUALITY_LONG_SIDE = 640
/** Shorter side of the original, in pixels, from which more brings nothing for a document that fills the frame. */
const ENOUGH_PIXELS = 800

export const qualityThresholds = {
  /** One over the width of a typical strong edge in pixels of the copy: below, small print has run together. */
  sharpness: 0.22,
  /** Share of the picture in blown-out spots with soft edges. */
  glare: 0.06,
  /** Mean luma of the picture's middle, 0 black to 1 white. */
  brightness: 0.18,
  /** Shorter side of the original in pixels over 800. */
  resolution: 0.4,
} as const

/** Half the length of the run of pixels that an edge is looked for in. */
const RUN = 9
const BLOCK = 16
const SATURATED = 250

/**
 * Measures a picture before it is read. `copy` is reduced to `QUALITY_LONG_SIDE`; `shorterSide` is the original's,
 * in pixels. `cropped` is known only after reading and is null here.
 */
export function measureQuality(copy: GreyImage, shorterSide: number): ImageQuality {
  return {
    sharpness: round(sharpnessOf(copy)),
    glare: round(glareOf(copy)),
    brightness: round(brightnessOf(copy)),
    resolution: round(Math.min(1, shorterSide / ENOUGH_PIXELS)),
    cropped: null,
  }
}

const round = (value: number) => Math.round(value * 1000) / 1000

/**
 * The median, over the strongest edges, of steepest step by height of the edge: 1 where an edge is one pixel wide,
 * 0.2 where it is five. Contrast cancels out, and noise is weaker than the edges that are looked at.
 */
function sharpnessOf({ data, width, height }: GreyImage): number {
  const ratios: { range: number; ratio: number }[] = []
  const look = (start: number, step: number) => {
    let low = 255
    let high = 0
    let steepest = 0
    for (let i = 0, at = start; i < RUN; i++, at += step) {
      const value = data[at]!
      if (value < low) low = value
      if (value > high) high = value
      if (i > 0) steepest = Math.max(steepest, Math.abs(value - data[at - step]!))
    }
    if (high - low >= 24) ratios.push({ range: high - low, ratio: steepest / (high - low) })
  }
  for (let y = 0; y + RUN < height; y += 3) {
    for (let x = 0; x + RUN < width; x += 3) {
      look(y * width + x, 1)
      look(y * width + x, width)
    }
  }
  if (ratios.length === 0) return 0
  ratios.sort((a, b) => b.range - a.range)
  const strongest = ratios.slice(0, Math.max(20, Math.floor(ratios.length / 10)))
  strongest.sort((a, b) => a.ratio - b.ratio)
  return strongest[strongest.length >> 1]!.ratio
}

/**
 * Share of blocks that are blown out and lie beside a block that is bright, smooth and not blown out: reflections
 * fade into their surroundings, white paper and white margins end in an edge.
 */
function glareOf({ data, width, height }: GreyImage): number {
  const columns = Math.floor(width / BLOCK)
  const rows = Math.floor(height / BLOCK)
  const kind = new Uint8Array(columns * rows)
  for (let r = 0; r < rows; r++) {
    for (let c = 0; c < columns; c++) {
      let blown = 0
      let low = 255
      let sum = 0
      for (let y = r * BLOCK; y < (r + 1) * BLOCK; y++) {
        for (let x = c * BLOCK; x < (c + 1) * BLOCK; x++) {
          const value = data[y * width + x]!
          if (value >= SATURATED) blown++
          if (value < low) low = value
          sum += value
        }
      }
      const mean = sum / (BLOCK * BLOCK)
      if (blown > 0.6 * BLOCK * BLOCK && low > 200) kind[r * columns + c] = 1
      else if (mean > 215 && low > 170) kind[r * columns + c] = 2
    }
  }
  let glare = 0
  for (let r = 0; r < rows; r++) {
    for (let c = 0; c < columns; c++) {
      if (kind[r * columns + c] !== 1) continue
      const beside = [
        [r - 1, c],
        [r + 1, c],
        [r, c - 1],
        [r, c + 1],
      ] as const
      if (beside.some(([y, x]) => y >= 0 && y < rows && x >= 0 && x < columns && kind[y * columns + x] === 2))
        glare++
    }
  }
  return columns * rows === 0 ? 0 : glare / (columns * rows)
}

function brightnessOf({ data, width, height }: GreyImage): number {
  let sum = 0
  let count = 0
  for (let y = Math.floor(height * 0.1); y < height * 0.9; y++) {
    for (let x = Math.floor(width * 0.1); x < width * 0.9; x++) {
      sum += data[y * width + x]!
      count++
    }
  }
  return count === 0 ? 0 : sum / count / 255
}

export type QualityIssue =
  | 'image_blurry'
  | 'image_glare'
  | 'image_dark'
  | 'image_cropped'
  | 'image_low_resolution'

/** What is wrong with the picture, the most useful to tell first. */
export function qualityIssues(quality: ImageQuality): QualityIssue[] {
  const issues: QualityIssue[] = []
  if (quality.cropped === true) issues.push('image_cropped')
  if (quality.glare !== null && quality.glare > qualityThresholds.glare) issues.push('image_glare')
  if (quality.brightness !== null && quality.brightness < qualityThresholds.brightness)
    issues.push('image_dark')
  if (quality.sharpness !== null && quality.sharpness < qualityThresholds.sharpness)
    issues.push('image_blurry')
  if (quality.resolution !== null && quality.resolution < qualityThresholds.resolution) {
    issues.push('image_low_resolution')
  }
  return issues
}

/** 0 to 1: how far the worst measure is above its threshold, 0.5 at the threshold itself. */
export function qualityScore(quality: ImageQuality): number {
  const above = (value: number | null, threshold: number) =>
    value === null ? 1 : Math.min(1, (0.5 * value) / threshold)
  const below = (value: number | null, threshold: number) =>
    value === null ? 1 : Math.max(0, 1 - (0.5 * value) / threshold)
  return Math.min(
    above(quality.sharpness, qualityThresholds.sharpness),
    below(quality.glare, qualityThresholds.glare),
    above(quality.brightness, qualityThresholds.brightness),
    above(quality.resolution, qualityThresholds.resolution),
    quality.cropped === true ? 0.5 : 1,
  )
}

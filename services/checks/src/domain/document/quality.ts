import type { ImageQuality } from '@kyc/common'

/** A greyscale image, row by row, 8 bits per pixel. */
export interface GreyImage {
  readonly data: Uint8Array
  readonly width: number
  readonly height: number
}

/** The longer side of the copy that sharpness, glare and brightness are measured on, in pixels. */
export const QUALITY_LONG_SIDE = 640
/** Shorter side of the original, in pixels; a document that fills the frame gains nothing from more. */
const ENOUGH_PIXELS = 800

export const qualityThresholds = {
  /** Reciprocal of the width of a typical strong edge in pixels of the copy; below this, small print is illegible. */
  sharpness: 0.22,
  /** Fraction of the image in overexposed spots with soft edges. */
  glare: 0.15,
  /** Mean luma of the middle of the image, 0 black to 1 white. */
  brightness: 0.18,
  /** Shorter side of the original in pixels, divided by 800. */
  resolution: 0.4,
} as const

/** Half the length of the pixel run in which an edge is searched. */
const RUN = 9
/** A smaller range of values within a run is not a measurable edge. */
const MIN_EDGE = 24
const STRONGEST_SHARE = 0.1
const BLOCK = 16
const SATURATED = 250

/**
 * Measures an image before it is read. `copy` is reduced to `QUALITY_LONG_SIDE`; `shorterSide` is the original's, in
 * pixels. `cropped` is null here because it is known only after reading.
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
 * The median, over the strongest edges, of steepest step divided by edge height: 1 where an edge is one pixel wide, 0.2
 * where it is five. Contrast cancels out, and noise is weaker than the edges used.
 */
function sharpnessOf({ data, width, height }: GreyImage): number {
  const ranges: number[] = []
  const ratios: number[] = []
  const look = (start: number, stride: number) => {
    let low = 255
    let high = 0
    let steepest = 0
    for (let i = 0, at = start; i < RUN; i++, at += stride) {
      const value = data[at]!
      if (value < low) low = value
      if (value > high) high = value
      if (i === 0) continue
      const step = value - data[at - stride]!
      if (step > steepest) steepest = step
      else if (-step > steepest) steepest = -step
    }
    if (high - low < MIN_EDGE) return
    ranges.push(high - low)
    ratios.push(steepest / (high - low))
  }
  for (let y = 0; y + RUN < height; y += 3) {
    for (let x = 0; x + RUN < width; x += 3) {
      look(y * width + x, 1)
      look(y * width + x, width)
    }
  }
  if (ratios.length === 0) return 0
  const strong = Float64Array.from(ranges).sort()[Math.floor(ranges.length * (1 - STRONGEST_SHARE))]!
  const strongest = Float64Array.from(ratios.filter((_, i) => ranges[i]! >= strong)).sort()
  return strongest[strongest.length >> 1]!
}

type Block = 'blown' | 'bright' | 'other'

/**
 * Fraction of the image in overexposed spots that fade into a bright, smooth surrounding. Reflections fade like this,
 * but white paper and white margins end in an edge.
 */
function glareOf(image: GreyImage): number {
  const columns = Math.floor(image.width / BLOCK)
  const rows = Math.floor(image.height / BLOCK)
  const blocks = Array.from({ length: rows * columns }, (_, i) =>
    blockOf(image, Math.floor(i / columns) * BLOCK, (i % columns) * BLOCK),
  )
  const seen = new Uint8Array(blocks.length)
  let glare = 0
  for (let start = 0; start < blocks.length; start++) {
    if (seen[start] || blocks[start] !== 'blown') continue
    const spot = [start]
    seen[start] = 1
    let soft = 0
    let hard = 0
    for (const at of spot) {
      const column = at % columns
      for (const next of [
        at - columns,
        at + columns,
        column > 0 ? at - 1 : -1,
        column < columns - 1 ? at + 1 : -1,
      ]) {
        const kind = blocks[next]
        if (kind === 'bright') soft++
        else if (kind === 'other') hard++
        else if (kind === 'blown' && !seen[next]) {
          seen[next] = 1
          spot.push(next)
        }
      }
    }
    if (soft > hard) glare += spot.length
  }
  return blocks.length === 0 ? 0 : glare / blocks.length
}

function blockOf({ data, width }: GreyImage, top: number, left: number): Block {
  let blown = 0
  let low = 255
  let sum = 0
  for (let y = top; y < top + BLOCK; y++) {
    for (let x = left; x < left + BLOCK; x++) {
      const value = data[y * width + x]!
      if (value >= SATURATED) blown++
      if (value < low) low = value
      sum += value
    }
  }
  const area = BLOCK * BLOCK
  if (blown > 0.6 * area && low > 200) return 'blown'
  return sum / area > 215 && low > 170 ? 'bright' : 'other'
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

/** The quality issues of the image, the most useful first. */
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

/** How far the worst measure is above its threshold, 0 to 1; 0.5 at the threshold itself. */
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

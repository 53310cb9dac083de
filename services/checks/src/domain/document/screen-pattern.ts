import { Spectrum } from './spectrum.ts'

/** A colour image at its original resolution, row by row, 3 × 8 bits per pixel: red, green, blue. */
export interface ColourImage {
  readonly data: Uint8Array
  readonly width: number
  readonly height: number
}

/**
 * From this value on, an image is suspected to show a screen or a raster print, because one regular pattern covers most
 * of it.
 */
export const SCREEN_PATTERN_THRESHOLD = 0.7

const PATCH = 128
const COLUMNS = 6
const ROWS = 4
/** With fewer patches, "everywhere" cannot be measured. */
const MIN_PATCHES = 12
/** In periods per patch. Coarser patterns belong to the document, above all text lines. */
const MIN_FREQUENCY = 8
const MAX_FREQUENCY = PATCH / 2 - 2
/** Page edges, text lines and JPEG blocks lie on the axes. */
const AXIS = 3
/** JPEG codes blocks of 8 × 8 pixels, so its artefacts lie at multiples of this frequency. */
const JPEG_FREQUENCY = PATCH / 8
/**
 * Noise reaches 16 times its geometric mean in one of the bins of a patch; print and guilloches exceed that in places.
 */
const PEAK = 60
const PEAKS = 8
/** A peak is isolated when the bins 3 and 4 away have less than this fraction of its power. */
const SURROUNDINGS = 0.1
const DARK = 12
const BRIGHT = 248

interface Frequency {
  readonly x: number
  readonly y: number
}

/**
 * How far one regular pattern covers an image, 0 to 1: the fraction of its patches whose spectra have an isolated
 * off-axis peak at the same frequency, in brightness or in the balance of red and blue. A screen's pixel grid, its
 * moiré with the camera's pixels, and the raster of a print occur everywhere. Guilloches change direction from place to
 * place, and the characters of a line have their pitch in that line only. Measured on the original pixels, because
 * reducing the image would hide a pattern or create one. Null when the image is too small, too dark or too bright to
 * measure.
 */
export function measureScreenPattern(image: ColourImage): number | null {
  const patches = patchesOf(image)
  const spectrum = new Spectrum(PATCH)
  const peaks = patches.flatMap(({ x, y }) => {
    const values = cutPatch(image, x, y)
    if (values === null) return []
    const [brightness, colour] = spectrum.powersOf(values.brightness, values.colour)
    return [[...peaksOf(brightness), ...peaksOf(colour)]]
  })
  if (peaks.length < MIN_PATCHES) return null
  let most = 0
  for (const candidate of peaks.flat()) {
    const agreeing = peaks.filter((others) => others.some((other) => near(candidate, other))).length
    most = Math.max(most, agreeing)
  }
  return Math.round((1000 * most) / peaks.length) / 1000
}

/** The top left corners of the patches, spread evenly over the image without overlap. */
function patchesOf({ width, height }: ColourImage): Frequency[] {
  const across = Math.min(width >= height ? COLUMNS : ROWS, Math.floor(width / PATCH))
  const down = Math.min(width >= height ? ROWS : COLUMNS, Math.floor(height / PATCH))
  return Array.from({ length: across * down }, (_, i) => ({
    x: Math.floor((width / across - PATCH) / 2 + (width / across) * (i % across)),
    y: Math.floor((height / down - PATCH) / 2 + (height / down) * Math.floor(i / across)),
  }))
}

/** ITU-R BT.601 luma, and red minus blue; null when most of the patch is black or overexposed. */
function cutPatch({ data, width }: ColourImage, left: number, top: number) {
  const brightness = new Float64Array(PATCH * PATCH)
  const colour = new Float64Array(PATCH * PATCH)
  let sum = 0
  for (let y = 0, o = 0; y < PATCH; y++) {
    for (let x = 0, i = ((top + y) * width + left) * 3; x < PATCH; x++, i += 3, o++) {
      brightness[o] = 0.299 * data[i]! + 0.587 * data[i + 1]! + 0.114 * data[i + 2]!
      colour[o] = data[i]! - data[i + 2]!
      sum += brightness[o]!
    }
  }
  const mean = sum / brightness.length
  return mean < DARK || mean > BRIGHT ? null : { brightness, colour }
}

/** The bins of a spectrum that are examined, and the distance of each from the origin, rounded. */
interface Bin extends Frequency {
  readonly at: number
  readonly radius: number
}

const index = (x: number, y: number) => ((y + PATCH) % PATCH) * PATCH + ((x + PATCH) % PATCH)

/** A frequency and its negative are equivalent, so only the upper half plane is examined. */
const BINS: readonly Bin[] = Array.from({ length: (2 * MAX_FREQUENCY + 1) * MAX_FREQUENCY }, (_, i): Bin => {
  const x = (i % (2 * MAX_FREQUENCY + 1)) - MAX_FREQUENCY
  const y = Math.floor(i / (2 * MAX_FREQUENCY + 1)) + 1
  return { x, y, at: index(x, y), radius: Math.round(Math.hypot(x, y)) }
}).filter(
  ({ x, y, radius }) =>
    Math.abs(x) >= AXIS &&
    y >= AXIS &&
    radius >= MIN_FREQUENCY &&
    radius <= MAX_FREQUENCY &&
    !(offLattice(x) <= 1 && offLattice(y) <= 1),
)

function offLattice(n: number): number {
  return Math.abs(n - JPEG_FREQUENCY * Math.round(n / JPEG_FREQUENCY))
}

function peaksOf(power: Float64Array): Frequency[] {
  const levels = ringLevels(power)
  const peaks: (Frequency & { height: number })[] = []
  for (const { x, y, at, radius } of BINS) {
    const value = power[at]!
    const height = value / levels[radius]!
    if (height >= PEAK && isIsolated(power, x, y, value)) peaks.push({ x, y, height })
  }
  return peaks.sort((a, b) => b.height - a.height).slice(0, PEAKS)
}

/** A local maximum with much lower bins 3 and 4 away. A line of high bins is an edge, and a cloud is texture. */
function isIsolated(power: Float64Array, x: number, y: number, value: number): boolean {
  let sum = 0
  let count = 0
  for (let dy = -4; dy <= 4; dy++) {
    for (let dx = -4; dx <= 4; dx++) {
      const far = Math.max(Math.abs(dx), Math.abs(dy))
      const other = power[index(x + dx, y + dy)]!
      if (far <= 2 && other > value) return false
      if (far < 3) continue
      sum += other
      count++
    }
  }
  return sum / count < SURROUNDINGS * value
}

/**
 * The geometric mean of the powers at each distance from the origin; like a median, it is hardly affected by single
 * peaks. A small floor prevents division by 0 in a uniform patch.
 */
function ringLevels(power: Float64Array): Float64Array {
  const logarithms = new Float64Array(MAX_FREQUENCY + 1)
  const counts = new Uint16Array(MAX_FREQUENCY + 1)
  const { log } = Math
  for (const { at, radius } of BINS) {
    logarithms[radius]! += log(power[at]! + FLOOR)
    counts[radius]!++
  }
  return logarithms.map((sum, radius) => Math.exp(sum / counts[radius]!))
}

/** The power of rounding to 8 bits under the window (a twelfth of a grey level squared, 9/64 of the pixels). */
const FLOOR = (PATCH * PATCH * 9) / 64 / 12

/** Perspective scales a pattern by a few per cent from one side of the image to the other. */
function near(a: Frequency, b: Frequency): boolean {
  return Math.hypot(a.x - b.x, a.y - b.y) <= 2 + 0.05 * Math.hypot(a.x, a.y)
}

import type { RgbImage } from './image.ts'

/**
 * What each target position covers of the source: whole pixels from `first` up to, not including, `end`, and parts
 * of the two pixels before and after them, as fractions of one pixel.
 */
type Coverage = { first: Int32Array; end: Int32Array; before: Float64Array; after: Float64Array }

/** A smaller part of a pixel is rounding of the ratio, and would read beyond the last pixel. */
const NEGLIGIBLE_PART = 1e-3

function coverage(sourceSide: number, targetSide: number): Coverage {
  const ratio = sourceSide / targetSide
  const first = new Int32Array(targetSide)
  const end = new Int32Array(targetSide)
  const before = new Float64Array(targetSide)
  const after = new Float64Array(targetSide)
  for (let target = 0; target < targetSide; target += 1) {
    const from = target * ratio
    const to = Math.min(from + ratio, sourceSide)
    first[target] = Math.ceil(from - NEGLIGIBLE_PART)
    end[target] = Math.floor(to + NEGLIGIBLE_PART)
    const leading = first[target]! - from
    const trailing = to - end[target]!
    before[target] = leading > NEGLIGIBLE_PART ? leading : 0
    after[target] = trailing > NEGLIGIBLE_PART ? trailing : 0
  }
  return { first, end, before, after }
}

/** Adds to `sums` what the source row at `base` holds under each target pixel. */
function addRow(source: Uint8Array, base: number, columns: Coverage, sums: Float64Array): void {
  const { first, end, before, after } = columns
  for (let x = 0, target = 0; x < first.length; x += 1, target += 3) {
    const stop = base + end[x]! * 3
    let index = base + first[x]! * 3
    let red = 0
    let green = 0
    let blue = 0
    for (; index < stop; index += 3) {
      red += source[index]!
      green += source[index + 1]!
      blue += source[index + 2]!
    }
    const trailing = after[x]!
    if (trailing > 0) {
      red += trailing * source[stop]!
      green += trailing * source[stop + 1]!
      blue += trailing * source[stop + 2]!
    }
    const leading = before[x]!
    if (leading > 0) {
      const edge = base + first[x]! * 3 - 3
      red += leading * source[edge]!
      green += leading * source[edge + 1]!
      blue += leading * source[edge + 2]!
    }
    sums[target]! += red
    sums[target + 1]! += green
    sums[target + 2]! += blue
  }
}

/**
 * Shrinks by averaging the area each target pixel covers: it aliases least, and the threshold's figures were
 * measured with it (OpenCV's INTER_AREA). Width and height are at least 1 and at most the image's own.
 */
export function shrinkByArea(image: RgbImage, width: number, height: number): RgbImage {
  if (width === image.width && height === image.height) return image
  if (width < 1 || height < 1 || width > image.width || height > image.height)
    throw new RangeError('an image is only ever shrunk')
  const columns = coverage(image.width, width)
  const rows = coverage(image.height, height)
  const rowLength = width * 3
  const sourceRowLength = image.width * 3
  const data = new Uint8Array(rowLength * height)
  const share = (width * height) / (image.width * image.height)
  const sums = new Float64Array(rowLength)
  // The row under the boundary of two target rows belongs to both.
  const boundary = new Float64Array(rowLength)
  for (let y = 0; y < height; y += 1) {
    const leading = rows.before[y]!
    for (let index = 0; index < rowLength; index += 1) sums[index] = leading * boundary[index]!
    const end = rows.end[y]!
    for (let row = rows.first[y]!; row < end; row += 1)
      addRow(image.data, row * sourceRowLength, columns, sums)
    const trailing = rows.after[y]!
    if (trailing > 0) {
      boundary.fill(0)
      addRow(image.data, end * sourceRowLength, columns, boundary)
    }
    const base = y * rowLength
    for (let index = 0; index < rowLength; index += 1)
      data[base + index] = (sums[index]! + trailing * boundary[index]!) * share + 0.5
  }
  return { data, width, height }
}

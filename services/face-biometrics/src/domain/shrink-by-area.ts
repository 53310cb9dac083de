import { type AreaKernel, createAreaKernel } from './area-kernel.ts'
import type { RgbImage } from './image.ts'
import { reserve } from './wasm-assembler.ts'

/** Whole source pixels from `first` to `end` (exclusive), and the covered fractions of their neighbours, 0 to 1. */
type Covered = { first: number; end: number; before: number; after: number }

/** A smaller fraction of a pixel is a rounding error of the ratio and could exceed the last pixel. */
const NEGLIGIBLE_PART = 1e-3
const part = (length: number) => (length > NEGLIGIBLE_PART ? length : 0)

/** The source range that each target position covers along one axis. */
function coverage(sourceSide: number, targetSide: number): Covered[] {
  const ratio = sourceSide / targetSide
  return Array.from({ length: targetSide }, (_, target) => {
    const from = target * ratio
    const to = Math.min(from + ratio, sourceSide)
    const first = Math.ceil(from - NEGLIGIBLE_PART)
    const end = Math.floor(to + NEGLIGIBLE_PART)
    return { first, end, before: part(first - from), after: part(to - end) }
  })
}

const SUM_BYTES = 16
const TABLE_BYTES = 16
/** Keeps reads and writes just beyond a row inside the memory. */
const MARGIN = 16

let kernel: AreaKernel | undefined

/**
 * Downscales by averaging the area that each target pixel covers. This aliases least, and the threshold was measured
 * with it (OpenCV's INTER_AREA). Width and height are at least 1 and at most those of the image.
 */
export function shrinkByArea(image: RgbImage, width: number, height: number): RgbImage {
  if (width === image.width && height === image.height) return image
  if (width < 1 || height < 1 || width > image.width || height > image.height)
    throw new RangeError('an image is only ever shrunk')
  kernel ??= createAreaKernel()
  const { memory, addRow, finishRow } = kernel
  const rowBytes = width * 3
  const sourceRowBytes = image.width * 3
  const sums = 0
  const table = sums + width * SUM_BYTES
  const source = table + width * TABLE_BYTES + MARGIN
  const target = source + image.data.length + MARGIN
  reserve(memory, target + rowBytes * height + MARGIN)
  const bytes = new Uint8Array(memory.buffer)
  bytes.fill(0, sums, table)
  bytes.set(image.data, source)
  const entries = new DataView(memory.buffer, table, width * TABLE_BYTES)
  for (const [x, { first, end, before, after }] of coverage(image.width, width).entries()) {
    entries.setInt32(x * TABLE_BYTES, first * 3, true)
    entries.setInt32(x * TABLE_BYTES + 4, end - first, true)
    entries.setFloat32(x * TABLE_BYTES + 8, before, true)
    entries.setFloat32(x * TABLE_BYTES + 12, after, true)
  }
  const share = (width * height) / (image.width * image.height)
  for (const [y, { first, end, before, after }] of coverage(image.height, height).entries()) {
    const add = (row: number, weight: number) =>
      addRow(source + row * sourceRowBytes, table, width, sums, weight)
    if (before > 0) add(first - 1, before)
    for (let row = first; row < end; row += 1) add(row, 1)
    if (after > 0) add(end, after)
    finishRow(sums, width, target + y * rowBytes, share, 0.5)
  }
  return { data: bytes.slice(target, target + rowBytes * height), width, height }
}

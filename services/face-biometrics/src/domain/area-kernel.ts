import { assemble, F32, I32, op, V128, type WasmMemory } from './wasm-assembler.ts'

/** The two inner loops of `shrinkByArea`; a pixel's three channels are processed as SIMD lanes. */
export type AreaKernel = {
  memory: WasmMemory
  /**
   * For each of `count` target pixels, adds the part of the RGB row at `row` that it covers, times `weight`, to its sum
   * at `sums` (four floats per pixel). `table` has 16 bytes per target pixel: byte offset of its first whole source
   * pixel, number of whole ones, then the fractions of the pixel before and of the one after, as floats.
   * Up to three bytes before and four after the row are read, with weight zero.
   */
  addRow(row: number, table: number, count: number, sums: number, weight: number): void
  /**
   * Writes `count` pixels of three bytes at `target`, each its sum times `share` plus `half`, truncated to integers
   * from 0 to 255, and resets the sums. One byte after the last pixel is overwritten.
   */
  finishRow(sums: number, count: number, target: number, share: number, half: number): void
}

const TABLE_BYTES = 16
const SUM_BYTES = 16
const PIXEL_BYTES = 3

const advance = (local: number, by: number) => [
  ...op.get(local),
  ...op.constant(by),
  ...op.add,
  ...op.set(local),
]

/** Loads the pixel at the address on the stack as three integers (and an unused fourth). */
const loadPixel = (offset: number) => [
  ...op.vector.loadFourBytes(offset),
  ...op.vector.bytesToShorts,
  ...op.vector.shortsToInts,
]

function addRowCode(): number[] {
  const [row, table, count, sums, weight, pixel, left, whole] = [0, 1, 2, 3, 4, 5, 6, 7] as const
  const part = (address: readonly number[], tableOffset: number) => [
    ...[...address, ...loadPixel(0), ...op.vector.intsToFloats],
    ...[...op.get(table), ...op.loadFloat(tableOffset), ...op.vector.splatFloat],
    ...op.vector.multiplyFloats,
    ...op.vector.addFloats,
  ]
  const before = [
    ...op.get(row),
    ...op.get(table),
    ...op.load(0),
    ...op.add,
    ...op.constant(-PIXEL_BYTES),
    ...op.add,
  ]
  return [
    ...op.block,
    ...op.loop,
    ...[...op.get(count), ...op.isZero, ...op.branchIf(1)],
    ...[...op.get(row), ...op.get(table), ...op.load(0), ...op.add, ...op.set(pixel)],
    ...[...op.get(table), ...op.load(4), ...op.set(left)],
    ...[...op.constant(0), ...op.vector.splatInt, ...op.set(whole)],
    ...op.block,
    ...op.loop,
    ...[...op.get(left), ...op.isZero, ...op.branchIf(1)],
    ...[...op.get(whole), ...op.get(pixel), ...loadPixel(0), ...op.vector.addInts, ...op.set(whole)],
    ...advance(pixel, PIXEL_BYTES),
    ...advance(left, -1),
    ...op.branch(0),
    ...op.end,
    ...op.end,
    ...op.get(sums),
    ...[...op.get(whole), ...op.vector.intsToFloats],
    ...part(before, 8),
    ...part(op.get(pixel), 12),
    ...[...op.get(weight), ...op.vector.splatFloat, ...op.vector.multiplyFloats],
    ...[...op.get(sums), ...op.vector.load(0), ...op.vector.addFloats],
    ...op.vector.store(0),
    ...advance(table, TABLE_BYTES),
    ...advance(sums, SUM_BYTES),
    ...advance(count, -1),
    ...op.branch(0),
    ...op.end,
    ...op.end,
  ]
}

function finishRowCode(): number[] {
  const [sums, count, target, share, half] = [0, 1, 2, 3, 4] as const
  // Narrowing takes two vectors; only the first is used here.
  const nothing = [...op.constant(0), ...op.vector.splatInt]
  return [
    ...op.block,
    ...op.loop,
    ...[...op.get(count), ...op.isZero, ...op.branchIf(1)],
    ...op.get(target),
    ...[...op.get(sums), ...op.vector.load(0)],
    ...[...op.get(share), ...op.vector.splatFloat, ...op.vector.multiplyFloats],
    ...[...op.get(half), ...op.vector.splatFloat, ...op.vector.addFloats],
    ...op.vector.floatsToInts,
    ...[...nothing, ...op.vector.intsToShorts],
    ...[...nothing, ...op.vector.shortsToBytes],
    ...op.vector.storeFourBytes(0),
    ...[...op.get(sums), ...op.constant(0), ...op.vector.splatInt, ...op.vector.store(0)],
    ...advance(sums, SUM_BYTES),
    ...advance(target, PIXEL_BYTES),
    ...advance(count, -1),
    ...op.branch(0),
    ...op.end,
    ...op.end,
  ]
}

/** Creates the kernel with its own memory. */
export function createAreaKernel(): AreaKernel {
  const { memory, exports } = assemble([
    {
      name: 'addRow',
      parameters: [I32, I32, I32, I32, F32],
      results: [],
      locals: [I32, I32, V128],
      code: addRowCode(),
    },
    {
      name: 'finishRow',
      parameters: [I32, I32, I32, F32, F32],
      results: [],
      locals: [],
      code: finishRowCode(),
    },
  ])
  return {
    memory,
    addRow: exports.addRow as AreaKernel['addRow'],
    finishRow: exports.finishRow as AreaKernel['finishRow'],
  }
}

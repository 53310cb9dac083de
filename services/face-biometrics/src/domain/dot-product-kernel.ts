import { assemble, I32, op, V128, type WasmMemory } from './wasm-assembler.ts'

/** Compares one vector with many, with eight 16-bit products per instruction. */
export type DotProductKernel = {
  memory: WasmMemory
  /**
   * Scans `count` rows from address `rows`, each of `dimensions` signed 16-bit numbers, and writes an entry of two
   * 32-bit numbers, row and dot product, at `hits` for each row whose dot product with the query reaches `minimum`.
   * Returns the address after the last entry. All addresses are multiples of 16.
   */
  scan(query: number, rows: number, count: number, minimum: number, hits: number): number
}

function scanCode(dimensions: number): number[] {
  const [query, row, count, minimum, hit, index, product, sum] = [0, 1, 2, 3, 4, 5, 6, 7] as const
  const bytesPerRow = dimensions * 2
  const products = Array.from({ length: bytesPerRow / 16 }, (_, part) => [
    ...[...op.get(query), ...op.vector.load(part * 16)],
    ...[...op.get(row), ...op.vector.load(part * 16)],
    ...op.vector.dotShorts,
    ...(part === 0 ? [] : op.vector.addInts),
  ]).flat()
  const lanes = [0, 1, 2, 3].flatMap((lane) => [
    ...op.get(sum),
    ...op.vector.extractInt(lane),
    ...(lane === 0 ? [] : op.add),
  ])
  return [
    ...op.block,
    ...op.loop,
    ...[...op.get(index), ...op.get(count), ...op.greaterOrEqualUnsigned, ...op.branchIf(1)],
    ...[...products, ...op.set(sum)],
    ...[...lanes, ...op.set(product)],
    ...[...op.get(product), ...op.get(minimum), ...op.greaterOrEqualSigned],
    ...op.if,
    ...[...op.get(hit), ...op.get(index), ...op.store(0)],
    ...[...op.get(hit), ...op.get(product), ...op.store(4)],
    ...[...op.get(hit), ...op.constant(8), ...op.add, ...op.set(hit)],
    ...op.end,
    ...[...op.get(row), ...op.constant(bytesPerRow), ...op.add, ...op.set(row)],
    ...[...op.get(index), ...op.constant(1), ...op.add, ...op.set(index)],
    ...op.branch(0),
    ...op.end,
    ...op.end,
    ...op.get(hit),
  ]
}

/** Creates the kernel for vectors of `dimensions` numbers, a multiple of 8, with its own memory. */
export function createDotProductKernel(dimensions: number): DotProductKernel {
  if (dimensions % 8 !== 0) throw new RangeError('dimensions must be a multiple of 8')
  const { memory, exports } = assemble([
    {
      name: 'scan',
      parameters: [I32, I32, I32, I32, I32],
      results: [I32],
      locals: [I32, I32, V128],
      code: scanCode(dimensions),
    },
  ])
  return { memory, scan: exports.scan as DotProductKernel['scan'] }
}

type Memory = { readonly buffer: ArrayBuffer; grow(pages: number): number }

/** The part of the engine's WebAssembly interface in use; its types otherwise come only with a browser's. */
declare const WebAssembly: {
  Memory: new (descriptor: { initial: number }) => Memory
  Module: new (bytes: Uint8Array) => object
  Instance: new (module: object, imports: object) => { exports: Record<string, unknown> }
}

/**
 * A WebAssembly function that compares one vector with many, eight 16-bit products an instruction
 * (`i32x4.dot_i16x8_s` of the SIMD proposal, which Node has). It is assembled here: the loop is unrolled for the
 * dimensions, and what is written stays readable.
 */
export type DotProductKernel = {
  memory: Memory
  /**
   * Scans `count` rows from address `rows`, each of `dimensions` signed 16-bit numbers, and writes an entry of two
   * 32-bit numbers, row and dot product, at `hits` for each row whose dot product with the query reaches `minimum`.
   * Returns the address after the last entry. All addresses are multiples of 16.
   */
  scan(query: number, rows: number, count: number, minimum: number, hits: number): number
}

const I32 = 0x7f
const V128 = 0x7b

/** Names of the instructions in use (WebAssembly core 2.0, section 5.4), with what follows them. */
const op = {
  block: [0x02, 0x40],
  loop: [0x03, 0x40],
  if: [0x04, 0x40],
  end: [0x0b],
  branch: (depth: number) => [0x0c, depth],
  branchIf: (depth: number) => [0x0d, depth],
  get: (local: number) => [0x20, local],
  set: (local: number) => [0x21, local],
  store: (offset: number) => [0x36, 2, ...unsigned(offset)],
  constant: (value: number) => [0x41, ...signed(value)],
  greaterOrEqualSigned: [0x4e],
  greaterOrEqualUnsigned: [0x4f],
  add: [0x6a],
  loadVector: (offset: number) => [0xfd, 0x00, 4, ...unsigned(offset)],
  extractLane: (lane: number) => [0xfd, 0x1b, lane],
  addVectors: [0xfd, 0xae, 0x01],
  dotVectors: [0xfd, 0xba, 0x01],
}

/** LEB128. */
function unsigned(value: number): number[] {
  return value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...unsigned(value >>> 7)]
}
function signed(value: number): number[] {
  const rest = value >> 7
  const last = (rest === 0 && (value & 0x40) === 0) || (rest === -1 && (value & 0x40) !== 0)
  return last ? [value & 0x7f] : [(value & 0x7f) | 0x80, ...signed(rest)]
}

const vector = (items: readonly number[][]) => [...unsigned(items.length), ...items.flat()]
const section = (id: number, items: readonly number[][]) => {
  const content = vector(items)
  return [id, ...unsigned(content.length), ...content]
}
const text = (value: string) => [...unsigned(value.length), ...Buffer.from(value, 'latin1')]

function scanBody(dimensions: number): number[] {
  const [query, row, count, minimum, hit, index, sum, product] = [0, 1, 2, 3, 4, 5, 6, 7] as const
  const bytesPerRow = dimensions * 2
  const products = Array.from({ length: bytesPerRow / 16 }, (_, part) => [
    ...op.get(query),
    ...op.loadVector(part * 16),
    ...op.get(row),
    ...op.loadVector(part * 16),
    ...op.dotVectors,
    ...(part === 0 ? [] : op.addVectors),
  ]).flat()
  const lanes = [0, 1, 2, 3].flatMap((lane) => [
    ...op.get(sum),
    ...op.extractLane(lane),
    ...(lane === 0 ? [] : op.add),
  ])
  const code = [
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
    ...op.end,
  ]
  const locals = vector([
    [1, I32],
    [1, V128],
    [1, I32],
  ])
  return [...unsigned(locals.length + code.length), ...locals, ...code]
}

/** Assembles the kernel for vectors of `dimensions` numbers, a multiple of 8, over a memory of its own. */
export function createDotProductKernel(dimensions: number): DotProductKernel {
  if (dimensions % 8 !== 0) throw new RangeError('dimensions must be a multiple of 8')
  const memory = new WebAssembly.Memory({ initial: 1 })
  const bytes = Uint8Array.from([
    ...[0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00],
    ...section(1, [[0x60, ...vector([[I32], [I32], [I32], [I32], [I32]]), ...vector([[I32]])]]),
    ...section(2, [[...text('env'), ...text('memory'), 0x02, 0x00, 0x01]]),
    ...section(3, [[0x00]]),
    ...section(7, [[...text('scan'), 0x00, 0x00]]),
    ...section(10, [scanBody(dimensions)]),
  ])
  const instance = new WebAssembly.Instance(new WebAssembly.Module(bytes), { env: { memory } })
  return { memory, scan: instance.exports.scan as DotProductKernel['scan'] }
}

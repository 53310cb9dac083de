/**
 * The subset of WebAssembly's binary format (core 2.0, chapter 5) that the inner loops here need. They process
 * millions of numbers with 128-bit SIMD instructions, which JavaScript does not have.
 */

export type WasmMemory = { readonly buffer: ArrayBuffer; grow(pages: number): number }

/** The part of the WebAssembly API used here; its types are otherwise only in the DOM library. */
declare const WebAssembly: {
  Memory: new (descriptor: { initial: number }) => WasmMemory
  Module: new (bytes: Uint8Array) => object
  Instance: new (module: object, imports: object) => { exports: Record<string, unknown> }
}

export const PAGE_BYTES = 65_536

export const I32 = 0x7f
export const F32 = 0x7d
export const V128 = 0x7b
export type ValueType = typeof I32 | typeof F32 | typeof V128

/** LEB128. */
function unsigned(value: number): number[] {
  return value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...unsigned(value >>> 7)]
}
function signed(value: number): number[] {
  const rest = value >> 7
  const last = (rest === 0 && (value & 0x40) === 0) || (rest === -1 && (value & 0x40) !== 0)
  return last ? [value & 0x7f] : [(value & 0x7f) | 0x80, ...signed(rest)]
}

const simd = (code: number, ...operands: number[]) => [0xfd, ...unsigned(code), ...operands]
const at = (alignment: number, offset: number) => [alignment, ...unsigned(offset)]

/** Instructions by purpose; alignment is a hint, given as a power of two. */
export const op = {
  block: [0x02, 0x40],
  loop: [0x03, 0x40],
  if: [0x04, 0x40],
  end: [0x0b],
  branch: (depth: number) => [0x0c, depth],
  branchIf: (depth: number) => [0x0d, depth],
  get: (local: number) => [0x20, local],
  set: (local: number) => [0x21, local],
  constant: (value: number) => [0x41, ...signed(value)],
  isZero: [0x45],
  greaterOrEqualSigned: [0x4e],
  greaterOrEqualUnsigned: [0x4f],
  add: [0x6a],
  load: (offset: number) => [0x28, ...at(2, offset)],
  loadFloat: (offset: number) => [0x2a, ...at(2, offset)],
  store: (offset: number) => [0x36, ...at(2, offset)],
  vector: {
    load: (offset: number) => simd(0x00, ...at(4, offset)),
    store: (offset: number) => simd(0x0b, ...at(4, offset)),
    /** Four bytes into the lowest lane, zeros elsewhere. */
    loadFourBytes: (offset: number) => simd(0x5c, ...at(0, offset)),
    storeFourBytes: (offset: number) => simd(0x5a, ...at(0, offset), 0),
    splatInt: simd(0x11),
    splatFloat: simd(0x13),
    extractInt: (lane: number) => simd(0x1b, lane),
    bytesToShorts: simd(0x89),
    shortsToInts: simd(0xa9),
    intsToFloats: simd(0xfa),
    floatsToInts: simd(0xf8),
    intsToShorts: simd(0x85),
    shortsToBytes: simd(0x66),
    addInts: simd(0xae),
    addFloats: simd(0xe4),
    multiplyFloats: simd(0xe6),
    /** Products of 16-bit numbers, added in pairs. */
    dotShorts: simd(0xba),
  },
}

export type WasmFunction = {
  name: string
  parameters: readonly ValueType[]
  results: readonly ValueType[]
  locals: readonly ValueType[]
  /** Without the final `end`. */
  code: readonly number[]
}

const list = (items: readonly (readonly number[])[]) => [...unsigned(items.length), ...items.flat()]
const sized = (content: readonly number[]) => [...unsigned(content.length), ...content]
const section = (id: number, items: readonly (readonly number[])[]) => [id, ...sized(list(items))]
const text = (value: string) => sized([...Buffer.from(value, 'latin1')])

/** Assembles functions that share one new memory. */
export function assemble(functions: readonly WasmFunction[]): {
  memory: WasmMemory
  exports: Record<string, unknown>
} {
  const memory = new WebAssembly.Memory({ initial: 1 })
  const types = functions.map(({ parameters, results }) => [
    0x60,
    ...list(parameters.map((type) => [type])),
    ...list(results.map((type) => [type])),
  ])
  const bodies = functions.map(({ locals, code }) =>
    sized([...list(locals.map((type) => [1, type])), ...code, ...op.end]),
  )
  const bytes = Uint8Array.from([
    ...[0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00],
    ...section(1, types),
    ...section(2, [[...text('env'), ...text('memory'), 0x02, 0x00, 0x01]]),
    ...section(
      3,
      functions.map((_, index) => unsigned(index)),
    ),
    ...section(
      7,
      functions.map(({ name }, index) => [...text(name), 0x00, ...unsigned(index)]),
    ),
    ...section(10, bodies),
  ])
  const instance = new WebAssembly.Instance(new WebAssembly.Module(bytes), { env: { memory } })
  return { memory, exports: instance.exports }
}

/** Grows the memory to at least `bytes`; untouched pages use no physical memory. */
export function reserve(memory: WasmMemory, bytes: number): void {
  const missing = bytes - memory.buffer.byteLength
  if (missing > 0) memory.grow(Math.ceil(missing / PAGE_BYTES))
}

import { readFile } from 'node:fs/promises'
import { InferenceSession, Tensor } from 'onnxruntime-node'

/**
 * One model on one thread: parallelism comes from the pool, so one reader never uses two cores. `arena` retains memory
 * between runs, which pays off for many small runs but wastes memory for one large activation per photo.
 */
export function openSession(path: string, options: { arena?: boolean } = {}): Promise<InferenceSession> {
  return InferenceSession.create(path, {
    intraOpNumThreads: 1,
    interOpNumThreads: 1,
    executionMode: 'sequential',
    graphOptimizationLevel: 'all',
    enableCpuMemArena: options.arena ?? false,
    // Memory patterns are cached for every input size, and lines have many different sizes.
    enableMemPattern: false,
    logSeverityLevel: 3,
  })
}

/** Runs a model with one float input and one float output, whatever their names are. */
export async function runSession(
  session: InferenceSession,
  input: Float32Array,
  shape: readonly number[],
): Promise<{ data: Float32Array; dims: readonly number[] }> {
  const results = await session.run({ [session.inputNames[0]!]: new Tensor('float32', input, shape) })
  const output = results[session.outputNames[0]!]!
  if (!(output.data instanceof Float32Array)) throw new Error(`expected float32 output, got ${output.type}`)
  return { data: output.data, dims: output.dims }
}

/** Runs a model with one float input and returns all its float outputs by name. */
export async function runNamedSession(
  session: InferenceSession,
  input: Float32Array,
  shape: readonly number[],
): Promise<Map<string, Float32Array>> {
  const results = await session.run({ [session.inputNames[0]!]: new Tensor('float32', input, shape) })
  return new Map(
    Object.entries(results).flatMap(([name, { data }]) =>
      data instanceof Float32Array ? [[name, data]] : [],
    ),
  )
}

/**
 * The value of one key of an ONNX file's `metadata_props` (onnx.proto: ModelProto field 14, StringStringEntryProto
 * fields 1 and 2), which onnxruntime-node does not expose. Null when the file has no such key.
 */
export async function readModelMetadata(path: string, key: string): Promise<string | null> {
  const bytes = await readFile(path)
  for (const [field, value] of lengthDelimitedFields(bytes)) {
    if (field !== 14) continue
    const entry = new Map(lengthDelimitedFields(value))
    if (entry.get(1)?.toString('utf8') === key) return entry.get(2)?.toString('utf8') ?? null
  }
  return null
}

/** Protocol Buffers wire format: yields the length-delimited fields of one message and skips the others. */
function* lengthDelimitedFields(bytes: Buffer): Generator<[number, Buffer]> {
  let at = 0
  const varint = () => {
    let value = 0
    for (let shift = 0; at < bytes.length; shift += 7) {
      const byte = bytes[at++]!
      value += (byte & 0x7f) * 2 ** shift
      if (byte < 0x80) return value
    }
    throw new Error('truncated protobuf message')
  }
  while (at < bytes.length) {
    const tag = varint()
    const wireType = tag % 8
    if (wireType === 0) varint()
    else if (wireType === 1) at += 8
    else if (wireType === 5) at += 4
    else if (wireType === 2) {
      const length = varint()
      yield [Math.floor(tag / 8), bytes.subarray(at, at + length)]
      at += length
    } else throw new Error(`unknown protobuf wire type ${wireType}`)
  }
}

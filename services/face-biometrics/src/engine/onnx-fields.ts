import { type ProtobufField, protobufFields, writeVarint } from './protobuf.ts'

/** Field numbers in onnx.proto3 of the messages used here. */
export const model = { irVersion: 1, graph: 7 } as const
export const graph = { node: 1, initializer: 5, input: 11 } as const
export const node = { input: 1, output: 2, operator: 4, attribute: 5 } as const
export const attribute = { graph: 6, graphs: 11 } as const
export const valueInfo = { name: 1 } as const
export const tensor = { dims: 1, type: 2, name: 8, rawData: 9 } as const
/** TensorProto.DataType.FLOAT */
export const FLOAT_TYPE = 1

const LENGTH_DELIMITED = 2

export const textOf = (bytes: Uint8Array, field: ProtobufField): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset + field.contentStart, field.end - field.contentStart).toString()

/** The length-delimited fields (messages, strings, bytes) with one field number inside a message. */
export function* inside(bytes: Uint8Array, parent: ProtobufField, number: number): Generator<ProtobufField> {
  for (const field of protobufFields(bytes, parent.contentStart, parent.end))
    if (field.number === number && field.wireType === LENGTH_DELIMITED) yield field
}

export const texts = (bytes: Uint8Array, parent: ProtobufField, number: number): string[] =>
  [...inside(bytes, parent, number)].map((field) => textOf(bytes, field))

/** The model's graph. Throws a RangeError if the bytes are not an ONNX model. */
export function graphOf(bytes: Uint8Array): ProtobufField {
  for (const field of protobufFields(bytes))
    if (field.number === model.graph && field.wireType === LENGTH_DELIMITED) return field
  throw new RangeError('the file holds no ONNX graph')
}

export const writeMessage = (number: number, ...content: Uint8Array[]): Uint8Array => {
  const length = content.reduce((sum, part) => sum + part.byteLength, 0)
  return Buffer.concat([writeVarint(number * 8 + LENGTH_DELIMITED), writeVarint(length), ...content])
}
export const writeText = (number: number, value: string): Uint8Array =>
  writeMessage(number, Buffer.from(value))

/** The model with its graph's fields replaced: `change` returns the replacement of a field, or null to keep it. */
export function changeGraph(
  bytes: Uint8Array,
  change: (field: ProtobufField) => readonly Uint8Array[] | null,
  added: readonly Uint8Array[] = [],
): Uint8Array {
  const whole = graphOf(bytes)
  const parts: Uint8Array[] = []
  for (const field of protobufFields(bytes, whole.contentStart, whole.end))
    parts.push(...(change(field) ?? [bytes.subarray(field.start, field.end)]))
  return Buffer.concat([
    bytes.subarray(0, whole.start),
    writeMessage(model.graph, ...parts, ...added),
    bytes.subarray(whole.end),
  ])
}

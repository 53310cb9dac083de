import { type ProtobufField, protobufFields, readVarint, writeVarint } from './protobuf.ts'

/** Field numbers of onnx.proto3. */
const MODEL_IR_VERSION = 1
const MODEL_GRAPH = 7
const GRAPH_NODE = 1
const GRAPH_INITIALIZER = 5
const GRAPH_INPUT = 11
const NODE_INPUT = 1
const NODE_ATTRIBUTE = 5
const ATTRIBUTE_GRAPHS = [6, 11]
const VALUE_INFO_NAME = 1
const INITIALIZER_NAME = 8

const LENGTH_DELIMITED = 2

const text = (bytes: Uint8Array, field: ProtobufField): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset + field.contentStart, field.end - field.contentStart).toString()

function* inside(bytes: Uint8Array, parent: ProtobufField, number: number): Generator<ProtobufField> {
  for (const field of protobufFields(bytes, parent.contentStart, parent.end))
    if (field.number === number && field.wireType === LENGTH_DELIMITED) yield field
}

/** Every name that a node of the graph, or of a graph inside one, reads. */
function readNames(bytes: Uint8Array, graph: ProtobufField, names: Set<string>): void {
  for (const node of inside(bytes, graph, GRAPH_NODE)) {
    for (const input of inside(bytes, node, NODE_INPUT)) names.add(text(bytes, input))
    for (const attribute of inside(bytes, node, NODE_ATTRIBUTE))
      for (const number of ATTRIBUTE_GRAPHS)
        for (const subgraph of inside(bytes, attribute, number)) readNames(bytes, subgraph, names)
  }
}

/** From this version on, an initializer need not be declared as an input (onnx.proto3, IR_VERSION 4). */
const IR_VERSION_FREE_INITIALIZERS = 4

/**
 * Drops graph inputs that are none, in files as OpenCV Zoo publishes them:
 * - inputs that no node reads and no initializer fills, left over from tensors that block quantisation replaced:
 *   onnxruntime refuses to run without values for them;
 * - inputs that an initializer fills: as long as a caller may override weights, nothing can be folded into them.
 *
 * Returns the same bytes where there is nothing to drop. Throws a RangeError where the bytes are no ONNX model.
 */
export function dropNeedlessInputs(model: Uint8Array): Uint8Array {
  const fields = [...protobufFields(model)]
  const graph = fields.find(({ number, wireType }) => number === MODEL_GRAPH && wireType === LENGTH_DELIMITED)
  if (!graph) throw new RangeError('the file holds no ONNX graph')
  const irVersion = fields.find(({ number }) => number === MODEL_IR_VERSION)
  const mayDropFilled =
    irVersion !== undefined && readVarint(model, irVersion.contentStart).value >= IR_VERSION_FREE_INITIALIZERS
  const read = new Set<string>()
  readNames(model, graph, read)
  const filled = new Set<string>()
  for (const initializer of inside(model, graph, GRAPH_INITIALIZER))
    for (const name of inside(model, initializer, INITIALIZER_NAME)) filled.add(text(model, name))
  const needless = [...inside(model, graph, GRAPH_INPUT)].filter((input) =>
    [...inside(model, input, VALUE_INFO_NAME)].every((name) => {
      const value = text(model, name)
      return filled.has(value) ? mayDropFilled : !read.has(value)
    }),
  )
  return needless.length === 0 ? model : withoutFields(model, graph, needless)
}

/** The model without some fields of its graph, with the graph's length corrected. */
function withoutFields(
  model: Uint8Array,
  graph: ProtobufField,
  dropped: readonly ProtobufField[],
): Uint8Array {
  const kept: Uint8Array[] = []
  let offset = graph.contentStart
  for (const field of dropped) {
    kept.push(model.subarray(offset, field.start))
    offset = field.end
  }
  kept.push(model.subarray(offset, graph.end))
  const length = kept.reduce((sum, { byteLength }) => sum + byteLength, 0)
  return Buffer.concat([
    model.subarray(0, graph.start),
    writeVarint(MODEL_GRAPH * 8 + LENGTH_DELIMITED),
    writeVarint(length),
    ...kept,
    model.subarray(graph.end),
  ])
}

import {
  attribute,
  changeGraph,
  graph,
  graphOf,
  inside,
  model,
  node,
  tensor,
  texts,
  valueInfo,
} from './onnx-fields.ts'
import { type ProtobufField, protobufFields, readVarint } from './protobuf.ts'

/** Since this version, an initializer need not be declared as an input (onnx.proto3, IR_VERSION 4). */
const IR_VERSION_FREE_INITIALIZERS = 4

/** Collects every name that a node of the graph or of its subgraphs reads. */
function readNames(bytes: Uint8Array, within: ProtobufField, names: Set<string>): void {
  for (const item of inside(bytes, within, graph.node)) {
    for (const name of texts(bytes, item, node.input)) names.add(name)
    for (const value of inside(bytes, item, node.attribute))
      for (const number of [attribute.graph, attribute.graphs])
        for (const subgraph of inside(bytes, value, number)) readNames(bytes, subgraph, names)
  }
}

function irVersion(bytes: Uint8Array): number {
  for (const field of protobufFields(bytes))
    if (field.number === model.irVersion) return readVarint(bytes, field.contentStart).value
  return 0
}

/**
 * Drops needless graph inputs from files published by OpenCV Zoo:
 * - inputs that no node reads and no initializer fills, left over from tensors that block quantisation replaced;
 *   onnxruntime refuses to run without values for them;
 * - inputs that an initializer fills; while a caller may override weights, constants cannot be folded into them.
 *
 * Returns the same bytes if there is nothing to drop. Throws a RangeError if the bytes are not an ONNX model.
 */
export function dropNeedlessInputs(bytes: Uint8Array): Uint8Array {
  const whole = graphOf(bytes)
  const mayDropFilled = irVersion(bytes) >= IR_VERSION_FREE_INITIALIZERS
  const read = new Set<string>()
  readNames(bytes, whole, read)
  const filled = new Set(
    [...inside(bytes, whole, graph.initializer)].flatMap((item) => texts(bytes, item, tensor.name)),
  )
  const needless = (input: ProtobufField) =>
    texts(bytes, input, valueInfo.name).every((name) => (filled.has(name) ? mayDropFilled : !read.has(name)))
  if (![...inside(bytes, whole, graph.input)].some(needless)) return bytes
  return changeGraph(bytes, (field) => (field.number === graph.input && needless(field) ? [] : null))
}

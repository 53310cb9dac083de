import { describe, expect, test } from '@jest/globals'
import * as ort from 'onnxruntime-node'
import { writeMessage, writeText } from './onnx-fields.ts'
import { writeVarint } from './protobuf.ts'
import { rewritePrelu } from './rewrite-prelu.ts'

const number = (field: number, value: number) => Buffer.concat([writeVarint(field * 8), writeVarint(value)])
const FLOAT = 1

/** `name`: float [1, 3, 2, 2], encoded as a graph input or output (onnx.proto3). */
const value = (field: number, name: string) => {
  const dims = [1, 3, 2, 2].map((dim) => writeMessage(1, number(1, dim)))
  return writeMessage(
    field,
    writeText(1, name),
    writeMessage(2, writeMessage(1, number(1, FLOAT), writeMessage(2, ...dims))),
  )
}
const slopes = [0.25, -0.5, 1.75]

/** A model with one PRelu; its slopes are an initializer, or a graph input if `free`. */
function preluModel(free = false): Uint8Array {
  const data = Buffer.alloc(12)
  for (const [index, slope] of slopes.entries()) data.writeFloatLE(slope, index * 4)
  const dims = [3, 1, 1].map((dim) => number(1, dim))
  const initializer = writeMessage(5, ...dims, number(2, FLOAT), writeText(8, 'slope'), writeMessage(9, data))
  const prelu = writeMessage(
    1,
    writeText(1, 'x'),
    writeText(1, 'slope'),
    writeText(2, 'y'),
    writeText(4, 'PRelu'),
  )
  const graph = writeMessage(
    7,
    prelu,
    writeText(2, 'graph'),
    ...(free ? [] : [initializer]),
    value(11, 'x'),
    ...(free ? [value(11, 'slope')] : []),
    value(12, 'y'),
  )
  return Buffer.concat([number(1, 8), graph, writeMessage(8, writeText(1, ''), number(2, 17))])
}

const x = Float32Array.from({ length: 12 }, (_, index) => (index - 6) * 1.5)
async function run(model: Uint8Array): Promise<number[]> {
  const session = await ort.InferenceSession.create(model)
  const { y } = await session.run({ x: new ort.Tensor('float32', x, [1, 3, 2, 2]) })
  await session.release()
  return [...(y!.data as Float32Array)]
}

describe('rewritePrelu', () => {
  test('computes the same function for any slopes', async () => {
    const model = preluModel()
    const rewritten = rewritePrelu(model)
    expect(Buffer.from(rewritten).includes('PRelu')).toBe(false)
    const expected = [...x].map((item, index) => (item >= 0 ? item : item * slopes[Math.floor(index / 4)]!))
    expect(await run(model)).toEqual(expected)
    for (const [index, item] of (await run(rewritten)).entries())
      expect(item).toBeCloseTo(expected[index]!, 5)
  })

  test('keeps a PRelu whose slopes are a run-time input', () => {
    const model = preluModel(true)
    expect(rewritePrelu(model)).toBe(model)
  })

  test('rejects bytes that are not a model', () => {
    expect(() => rewritePrelu(Buffer.from('<html>not a model</html>'))).toThrow(RangeError)
  })
})

import { describe, expect, test } from '@jest/globals'
import { protobufFields, readVarint, writeVarint } from './protobuf.ts'
import { dropNeedlessInputs } from './repair-onnx.ts'

const message = (number: number, ...parts: Uint8Array[]) => {
  const content = Buffer.concat(parts)
  return Buffer.concat([writeVarint(number * 8 + 2), writeVarint(content.length), content])
}
const varint = (number: number, value: number) => Buffer.concat([writeVarint(number * 8), writeVarint(value)])
const text = (number: number, value: string) => message(number, Buffer.from(value))

const node = (...inputs: string[]) => message(1, ...inputs.map((name) => text(1, name)), text(4, 'Add'))
const initializer = (name: string) => message(5, text(8, name), message(9, Buffer.alloc(300, 1)))
const input = (name: string) => message(11, text(1, name))
const model = (irVersion: number, ...graph: Uint8Array[]) =>
  Buffer.concat([varint(1, irVersion), message(7, ...graph), text(2, 'producer')])

describe('dropNeedlessInputs', () => {
  test('drops inputs that nothing reads and preserves all other bytes', () => {
    const parts = [node('data', 'weight'), initializer('weight'), input('data')]
    const broken = model(3, parts[0]!, parts[1]!, input('left_over'), parts[2]!, input('another'))
    expect(Buffer.from(dropNeedlessInputs(broken))).toEqual(model(3, ...parts))
  })

  test('drops initializers from the inputs if the format permits it', () => {
    const graph = [node('data', 'weight'), initializer('weight'), input('data')]
    expect(Buffer.from(dropNeedlessInputs(model(4, ...graph, input('weight'))))).toEqual(model(4, ...graph))
    const old = model(3, ...graph, input('weight'))
    expect(dropNeedlessInputs(old)).toBe(old)
  })

  test('keeps an input that only a subgraph of a node reads', () => {
    const inner = message(6, message(1, text(1, 'outer_value')))
    const branch = message(1, message(5, inner))
    const whole = model(8, branch, input('outer_value'))
    expect(dropNeedlessInputs(whole)).toBe(whole)
  })

  test('rejects bytes that are not a model', () => {
    expect(() => dropNeedlessInputs(Buffer.alloc(0))).toThrow(RangeError)
    expect(() => dropNeedlessInputs(Buffer.from('<html>not a model</html>'))).toThrow(RangeError)
    const whole = model(8, node('data'), input('data'))
    expect(() => dropNeedlessInputs(whole.subarray(0, 12))).toThrow(RangeError)
  })
})

describe('protobuf', () => {
  test.each([0, 1, 127, 128, 300, 38_689_356, 2 ** 40])('reads back the varint %d', (value) => {
    const bytes = writeVarint(value)
    expect(readVarint(bytes, 0)).toEqual({ value, next: bytes.length })
  })

  test('rejects an unterminated varint and a field that exceeds its message', () => {
    expect(() => readVarint(Buffer.alloc(11, 0xff), 0)).toThrow(RangeError)
    expect(() => [...protobufFields(Buffer.from([0x0a, 5, 1]))]).toThrow(RangeError)
  })
})

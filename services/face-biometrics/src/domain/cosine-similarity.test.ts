import { describe, expect, test } from '@jest/globals'
import { cosineSimilarity, normalized, roundedSimilarity } from './cosine-similarity.ts'

describe('cosineSimilarity', () => {
  test('is 1 for one direction, 0 at right angles, −1 for opposite directions, whatever the lengths', () => {
    const a = Float32Array.from([3, 0, 0])
    expect(cosineSimilarity(a, Float32Array.from([9, 0, 0]))).toBe(1)
    expect(cosineSimilarity(a, Float32Array.from([0, 2, 0]))).toBe(0)
    expect(cosineSimilarity(a, Float32Array.from([-0.5, 0, 0]))).toBe(-1)
  })

  test('refuses vectors of different sizes or of no length', () => {
    expect(() => cosineSimilarity(new Float32Array(2).fill(1), new Float32Array(3).fill(1))).toThrow(
      RangeError,
    )
    expect(() => cosineSimilarity(new Float32Array(2), new Float32Array(2).fill(1))).toThrow(RangeError)
  })
})

describe('normalized', () => {
  test('has length one', () => {
    expect([...normalized(Float32Array.from([3, 4]))].map((value) => roundedSimilarity(value))).toEqual([
      0.6, 0.8,
    ])
  })

  test('refuses a vector that is not finite', () => {
    expect(() => normalized(Float32Array.from([Number.NaN, 1]))).toThrow(RangeError)
    expect(() => normalized(new Float32Array(3))).toThrow(RangeError)
  })
})

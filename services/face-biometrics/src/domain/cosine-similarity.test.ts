import { describe, expect, test } from '@jest/globals'
import { cosineSimilarity, normalized, roundedSimilarity } from './cosine-similarity.ts'

describe('cosineSimilarity', () => {
  test('is 1 for equal, 0 for orthogonal and −1 for opposite directions, regardless of lengths', () => {
    const a = Float32Array.from([3, 0, 0])
    expect(cosineSimilarity(a, Float32Array.from([9, 0, 0]))).toBe(1)
    expect(cosineSimilarity(a, Float32Array.from([0, 2, 0]))).toBe(0)
    expect(cosineSimilarity(a, Float32Array.from([-0.5, 0, 0]))).toBe(-1)
  })

  test('rejects vectors of different dimensions or of zero length', () => {
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

  test('rejects a vector that is not finite or has zero length', () => {
    expect(() => normalized(Float32Array.from([Number.NaN, 1]))).toThrow(RangeError)
    expect(() => normalized(new Float32Array(3))).toThrow(RangeError)
  })
})

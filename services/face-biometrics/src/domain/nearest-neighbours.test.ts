import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { cosineSimilarity, normalized } from './cosine-similarity.ts'
import { NearestNeighbours, SIMILARITY_ERROR } from './nearest-neighbours.ts'

const dimensions = 128
/** Reproducible unit vectors. */
function vectorOf(seed: number): Float32Array {
  let state = Math.imul(seed, 2654435761) >>> 0
  return normalized(
    Float32Array.from({ length: dimensions }, () => {
      state = (Math.imul(state, 1664525) + 1013904223) >>> 0
      return state / 2 ** 32 - 0.5
    }),
  )
}

describe('NearestNeighbours', () => {
  test('finds the same vectors as brute force, with their similarities', () => {
    const index = new NearestNeighbours(dimensions)
    const vectors = Array.from({ length: 3000 }, (_, seed) => vectorOf(seed + 1))
    for (const [seed, vector] of vectors.entries()) index.set(`ses_${seed}`, vector)
    for (const query of [vectorOf(17), vectorOf(5000), vectorOf(6000)]) {
      const expected = vectors
        .map((vector, seed) => ({ id: `ses_${seed}`, similarity: cosineSimilarity(query, vector) }))
        .filter(({ similarity }) => similarity >= 0.2)
      const found = new Map(index.search(query, 0.2, 3000).map(({ id, similarity }) => [id, similarity]))
      expect(expected.length).toBeGreaterThan(0)
      for (const { id, similarity } of expected)
        expect(Math.abs(found.get(id)! - similarity)).toBeLessThanOrEqual(SIMILARITY_ERROR)
    }
  })

  test('returns the nearest first, up to the limit', () => {
    const index = new NearestNeighbours(dimensions)
    for (let seed = 1; seed <= 500; seed += 1) index.set(`ses_${seed}`, vectorOf(seed))
    const found = index.search(vectorOf(42), -1, 7)
    expect(found).toHaveLength(7)
    expect(found[0]!.id).toBe('ses_42')
    expect(found.map(({ similarity }) => similarity)).toEqual(
      found.map(({ similarity }) => similarity).sort((a, b) => b - a),
    )
  })

  test('reflects any sequence of additions, replacements and deletions', () => {
    const step = fc.record({
      id: fc.integer({ min: 0, max: 9 }),
      seed: fc.option(fc.integer({ min: 1, max: 50 })),
    })
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const index = new NearestNeighbours(dimensions)
        const model = new Map<string, number>()
        for (const { id, seed } of steps) {
          const name = `ses_${id}`
          if (seed === null) expect(index.delete(name)).toBe(model.delete(name))
          else {
            index.set(name, vectorOf(seed))
            model.set(name, seed)
          }
        }
        expect(index.size).toBe(model.size)
        for (const [name, seed] of model) {
          const hit = index.search(vectorOf(seed), 0.99, 100).find(({ id }) => id === name)
          expect(hit?.similarity).toBeCloseTo(1, 3)
        }
      }),
      { numRuns: 50 },
    )
  })

  test('never finds a deleted vector', () => {
    const index = new NearestNeighbours(dimensions)
    index.set('ses_a', vectorOf(1))
    index.set('ses_b', vectorOf(2))
    index.delete('ses_a')
    expect(index.search(vectorOf(1), 0.9, 5)).toEqual([])
    index.delete('ses_b')
    expect(index.search(vectorOf(2), -1, 5)).toEqual([])
  })

  test('rejects vectors of another dimension', () => {
    const index = new NearestNeighbours(dimensions)
    expect(() => index.set('ses_a', new Float32Array(64))).toThrow(RangeError)
    expect(() => index.search(new Float32Array(130), 0, 1)).toThrow(RangeError)
    expect(() => new NearestNeighbours(10)).toThrow(RangeError)
  })
})

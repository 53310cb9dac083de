import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { createModelStore, silentLogger } from '@kyc/runtime'
import { modelsDir, sharedDir } from '@kyc/testing'
import { cosineSimilarity } from '../domain/cosine-similarity.ts'
import { FaceEngine } from './face-engine.ts'

const faces = sharedDir('data', 'faces')
const models = modelsDir()
const measured = faces && models ? describe : describe.skip

type Pair = { a: string; b: string; same: boolean; similarity: number; facesA: number }

const readPairs = (folder: string): Pair[] =>
  readFileSync(join(folder, 'pairs.csv'), 'utf8')
    .trim()
    .split('\n')
    .slice(1)
    .map((line) => {
      const [a, b, same, , similarity, facesA] = line.split(',')
      return { a: a!, b: b!, same: same === '1', similarity: Number(similarity), facesA: Number(facesA) }
    })

measured('the labelled pairs (skipped where the truth set or the models are absent)', () => {
  const folder = faces!
  const pairs = faces ? readPairs(faces) : []
  const known = new Map<string, { embedding: Float32Array; count: number }>()
  let engine: FaceEngine

  beforeAll(async () => {
    const store = createModelStore({ directory: models!, logger: silentLogger })
    engine = new FaceEngine({ resolveModel: store.resolve })
    for (const file of new Set(pairs.flatMap(({ a, b }) => [a, b]))) {
      const { embedding, faces: found } = await engine.embed(readFileSync(join(folder, file)))
      known.set(file, { embedding, count: found.length })
    }
  }, 120_000)
  afterAll(() => engine.close())

  const similarityOf = ({ a, b }: Pair) => cosineSimilarity(known.get(a)!.embedding, known.get(b)!.embedding)

  test('are classified at the threshold 0.363 with an accuracy of at least 0.995', () => {
    const right = pairs.filter((pair) => similarityOf(pair) >= 0.363 === pair.same)
    expect(right.length / pairs.length).toBeGreaterThanOrEqual(0.995)
  })

  test('match the reference similarity within 0.002 on average and within 0.02 for 99%', () => {
    const errors = pairs.map((pair) => Math.abs(similarityOf(pair) - pair.similarity)).sort((x, y) => x - y)
    expect(errors.reduce((sum, error) => sum + error, 0) / errors.length).toBeLessThanOrEqual(0.002)
    expect(errors[Math.floor(errors.length * 0.99)]).toBeLessThanOrEqual(0.02)
  })

  test('have as many faces as the reference detected', () => {
    expect(pairs.filter(({ a, facesA }) => known.get(a)!.count !== facesA)).toEqual([])
  })
})

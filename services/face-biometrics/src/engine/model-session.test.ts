import { copyFileSync, mkdtempSync, rmSync, truncateSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from '@jest/globals'
import { createModelStore, silentLogger } from '@kyc/runtime'
import { modelsDir } from '@kyc/testing'
import sharp from 'sharp'
import { FaceEngine } from './face-engine.ts'
import { loadModelSession } from './model-session.ts'
import { ModelsUnavailableError } from './models-unavailable-error.ts'

const models = modelsDir()
const withModels = models ? test : test.skip
const folder = mkdtempSync(join(tmpdir(), 'face-models-'))
afterAll(() => rmSync(folder, { recursive: true }))

describe('without model files', () => {
  const engine = new FaceEngine({ resolveModel: async () => null })

  test('starts, and reports which models are missing', async () => {
    expect(await engine.warmUp()).toEqual(expect.arrayContaining(['yunet', 'sface', 'minifasnet_v2']))
  })

  test('rejects comparisons with an error that names the models', async () => {
    const blank = { create: { width: 64, height: 64, channels: 3, background: '#888888' } } as const
    const png = await sharp(blank).png().toBuffer()
    await expect(engine.compare(png, png)).rejects.toBeInstanceOf(ModelsUnavailableError)
  })
})

describe('model files (skipped where they are absent)', () => {
  withModels('are not loaded when they change between being found and being read', async () => {
    const path = join(folder, 'yunet.onnx')
    copyFileSync(join(models!, 'face_detection_yunet_2023mar.onnx'), path)
    const found = await createModelStore({ directory: folder, logger: silentLogger }).resolve('yunet')
    truncateSync(path, 100_000)
    const load = loadModelSession(['yunet'], async () => found, { threads: 1 })
    await expect(load).rejects.toBeInstanceOf(ModelsUnavailableError)
  })

  withModels('that come later are found without a restart', async () => {
    const store = createModelStore({ directory: models!, logger: silentLogger })
    let there = false
    const engine = new FaceEngine({ resolveModel: async (name) => (there ? store.resolve(name) : null) })
    expect(await engine.warmUp()).not.toEqual([])
    there = true
    expect(await engine.warmUp()).toEqual([])
    await engine.close()
  })

  withModels('with block-quantised weights give the embedding of the plain ones', async () => {
    const store = createModelStore({ directory: models!, logger: silentLogger })
    const plain = await loadModelSession(['sface_from_int8bq'], store.resolve, { threads: 1 })
    const quantised = await loadModelSession(['sface_int8bq'], store.resolve, { threads: 1 })
    const input = Float32Array.from({ length: 3 * 112 * 112 }, (_, index) => (index * 7) % 256)
    const [a, b] = [await plain.run(input, [1, 3, 112, 112]), await quantised.run(input, [1, 3, 112, 112])]
    for (const [index, value] of a.fc1!.entries()) expect(b.fc1![index]).toBeCloseTo(value, 3)
    await Promise.all([plain.release(), quantised.release()])
  })
})

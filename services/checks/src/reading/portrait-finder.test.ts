import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { modelsDir, sharedDir } from '@kyc/testing'
import { PortraitFinder } from './portrait-finder.ts'
import { decodeImage, turnRaster } from './raster.ts'

const specimens = sharedDir('data', 'mrz', 'specimens')
const models = modelsDir()
const files = ['face_detection_yunet_2023mar_dynamic.onnx', 'face_detection_yunet_2023mar.onnx']
const here = specimens && models ? describe : describe.skip

here.each(files)('%s', (file) => {
  let finder: PortraitFinder
  beforeAll(async () => {
    finder = await PortraitFinder.open(join(models!, file))
  })
  afterAll(() => finder?.close())

  test('finds the portrait at the same place of the page in every image orientation', async () => {
    const { raster } = await decodeImage(readFileSync(join(specimens!, 'arg_id_cards_Monaco.png')))
    const upright = (await finder.find(raster, 0))!
    expect(upright.score).toBeGreaterThan(0.9)
    expect(upright.x).toBeCloseTo(0.72, 1)
    // Pairs a rotation with the turns that reverse it.
    for (const [turned, back] of [
      [1, 3],
      [2, 2],
      [3, 1],
    ] as const) {
      const found = (await finder.find(turnRaster(raster, turned), back))!
      for (const key of ['x', 'y', 'width', 'height'] as const)
        expect(Math.abs(found[key] - upright[key])).toBeLessThan(0.02)
    }
  })

  test('finds none on a page without a portrait', async () => {
    const data = new Uint8Array(640 * 400 * 3).fill(220)
    for (let at = 0; at < data.length; at += 97) data[at] = at % 256
    expect(await finder.find({ data, width: 640, height: 400, channels: 3 }, 0)).toBeNull()
  })
})

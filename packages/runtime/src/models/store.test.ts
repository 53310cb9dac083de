import { createHash } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from '@jest/globals'
import { silentLogger } from '../logger.ts'
import { fetchModel } from './fetch.ts'
import { type ModelEntry, readModelManifest } from './manifest.ts'
import { createModelStore } from './store.ts'

const content = Buffer.from('a small model')
const entry: ModelEntry = {
  name: 'small',
  file: 'small.onnx',
  version: '1',
  licence: 'MIT',
  origin: 'made for this test',
  bytes: content.length,
  sha256: createHash('sha256').update(content).digest('hex'),
  sources: [],
  purpose: 'testing',
}

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kyc-models-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

const store = () => createModelStore({ directory: folder, logger: silentLogger, manifest: [entry] })

test('a model is found by its name, or by its SHA-256 under another name', async () => {
  await writeFile(join(folder, 'renamed.bin'), content)
  expect((await store().resolve('small'))?.path).toBe(join(folder, 'renamed.bin'))
  await writeFile(join(folder, 'small.onnx'), content)
  expect((await store().resolve('small'))?.path).toBe(join(folder, 'small.onnx'))
})

test('a file with a wrong SHA-256 is never returned', async () => {
  await writeFile(join(folder, 'small.onnx'), Buffer.from('a small mode!'))
  expect(await store().resolve('small')).toBeNull()
})

test('a model that is added later is found', async () => {
  const models = store()
  expect(await models.resolve('small')).toBeNull()
  await writeFile(join(folder, 'small.onnx'), content)
  expect(await models.resolve('small')).not.toBeNull()
})

test('a download is stored only when size and SHA-256 match', async () => {
  let body: Buffer = content
  const server = createServer((_, response) => response.end(body))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/small.onnx`
  try {
    for (const wrong of [
      Buffer.from('a small mode!'),
      Buffer.from('short'),
      Buffer.concat([content, content]),
    ]) {
      body = wrong
      await expect(fetchModel({ ...entry, sources: [url] }, folder)).rejects.toThrow('could not be fetched')
      expect(await store().resolve('small')).toBeNull()
    }
    body = content
    await fetchModel({ ...entry, sources: [url] }, folder)
    expect(await store().resolve('small')).not.toBeNull()
  } finally {
    server.close()
  }
})

test('the error for a model without a source names what the operator must supply', async () => {
  await expect(fetchModel(entry, folder)).rejects.toThrow(/small\.onnx \(sha256 [0-9a-f]{64}\)/)
})

test('the manifest of this repository is complete, and its names are unique', () => {
  const names = readModelManifest().map((item) => item.name)
  expect(new Set(names).size).toBe(names.length)
})

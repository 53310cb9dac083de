import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto'
import { mkdtemp, open, readFile, rename, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { systemClock } from '@kyc/runtime'
import {
  createVault,
  decryptFile,
  encryptFile,
  folderStore,
  keysFromConfig,
  type ObjectStore,
  type Vault,
} from '@kyc/vault'
import { purgeLines } from './support/purges.ts'

export const name = 'vault'

const imageBytes = 10 * 1024 * 1024
const megabytes = imageBytes / 1e6
const rounds = 25
const scope = { app_id: 'app_bench', session_id: 'ses_bench' }
const jpeg = { contentType: 'image/jpeg' }

type Timings = Record<string, number[]>
type Operations = Record<string, { prepare?: () => unknown; run: () => unknown }>

/** Encrypting and storing a 10 MB image compared with plain AES-256-GCM, sealing a value, purging a session. */
export async function run(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'kyc-bench-vault-'))
  try {
    const keys = keysFromConfig({ current: { id: 'bench', key: randomBytes(32).toString('base64') } })
    const inMemory = createVault({ store: memoryStore(), keys, clock: systemClock })
    const onDisk = createVault({ store: folderStore(join(folder, 'vault')), keys, clock: systemClock })
    return [
      '## Vault',
      '',
      `One image of ${megabytes.toFixed(1)} MB, ${rounds} rounds, taken in turns; the fastest quarter ends at:`,
      '',
      ...(await imageTable(inMemory, onDisk, folder)),
      '',
      `- Seal and open one value of 200 bytes: ${await sealMicroseconds(onDisk)} µs.`,
      `- Destroying the data of a session with 4 files of 200 kB on disk: ${await purgeMilliseconds(onDisk)}.`,
      ...(await purgeLines()),
      '',
    ].join('\n')
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function imageTable(inMemory: Vault, onDisk: Vault, folder: string): Promise<string[]> {
  const image = randomBytes(imageBytes)
  const key = randomBytes(32)
  const plainFile = join(folder, 'plain')
  const sealed = encryptPlain(key, image)
  const identity = { scope, objectId: 'image' }
  const file = Buffer.concat(encryptFile(key, identity, jpeg.contentType, image))
  const copy = Buffer.alloc(file.length)
  const operations: Operations = {
    'plain encrypt': { run: () => encryptPlain(key, image) },
    'vault encrypt': { run: () => encryptFile(key, identity, jpeg.contentType, image) },
    'plain decrypt': { run: () => decryptPlain(key, sealed) },
    'vault decrypt': { prepare: () => file.copy(copy), run: () => decryptFile(key, identity, copy) },
    'plain hash': { run: () => [encryptPlain(key, image), createHash('sha256').update(image).digest()] },
    'vault hash': { run: () => inMemory.put(scope, 'image', image, jpeg) },
    'plain write': { run: () => writeFlushed(plainFile, encryptPlain(key, image)) },
    'vault write': { run: () => onDisk.put(scope, 'image', image, jpeg) },
    'plain read': { run: async () => decryptPlain(key, splitPlain(await readFile(plainFile))) },
    'vault read': { run: () => onDisk.get(scope, 'image') },
  }
  const timings = await inTurns(operations)
  const rate = (what: string) => megabytes / (percentile(timings[what]!, 0.25) / 1000)
  const row = (label: string, what: string) => {
    const [plain, vault] = [rate(`plain ${what}`), rate(`vault ${what}`)]
    return `| ${label} | ${plain.toFixed(0)} | ${vault.toFixed(0)} | ${(vault / plain).toFixed(2)} |`
  }
  return [
    '| | node:crypto, MB/s | vault, MB/s | ratio |',
    '|---|---|---|---|',
    row('encrypt', 'encrypt'),
    row('decrypt', 'decrypt'),
    row('encrypt and SHA-256', 'hash'),
    row('encrypt, write, flush', 'write'),
    row('read, decrypt', 'read'),
  ]
}

/** One of each per round, so that load on the machine affects all equally. Milliseconds. */
async function inTurns(operations: Operations): Promise<Timings> {
  const timings: Timings = Object.fromEntries(Object.keys(operations).map((each) => [each, []]))
  for (let round = -2; round < rounds; round++) {
    for (const [each, { prepare, run }] of Object.entries(operations)) {
      prepare?.()
      const start = performance.now()
      await run()
      if (round >= 0) timings[each]!.push(performance.now() - start)
    }
  }
  return timings
}

async function sealMicroseconds(vault: Vault): Promise<string> {
  const value = { full_name: 'x'.repeat(180) }
  const count = 5_000
  const start = performance.now()
  for (let n = 0; n < count; n++) await vault.open(scope, 'bench', await vault.seal(scope, 'bench', value))
  return (((performance.now() - start) / count) * 1000).toFixed(0)
}

async function purgeMilliseconds(vault: Vault): Promise<string> {
  const file = randomBytes(200_000)
  const times: number[] = []
  for (let n = 0; n < 60; n++) {
    const session = { app_id: 'app_bench', session_id: `ses_purge${n}` }
    for (const id of ['front', 'back', 'selfie', 'video']) await vault.put(session, id, file, jpeg)
    const start = performance.now()
    await vault.destroy(session)
    times.push(performance.now() - start)
  }
  return `median ${median(times).toFixed(1)} ms, p95 ${percentile(times, 0.95).toFixed(1)} ms`
}

type Plain = { nonce: Buffer; ciphertext: Buffer; tag: Buffer }

function encryptPlain(key: Buffer, plaintext: Buffer): Plain {
  const nonce = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', key, nonce)
  const ciphertext = cipher.update(plaintext)
  cipher.final()
  return { nonce, ciphertext, tag: cipher.getAuthTag() }
}

function decryptPlain(key: Buffer, { nonce, ciphertext, tag }: Plain): Buffer {
  const decipher = createDecipheriv('aes-256-gcm', key, nonce)
  decipher.setAuthTag(tag)
  const plaintext = decipher.update(ciphertext)
  decipher.final()
  return plaintext
}

const splitPlain = (file: Buffer): Plain => ({
  nonce: file.subarray(0, 12),
  ciphertext: file.subarray(12, -16),
  tag: file.subarray(-16),
})

/**
 * The minimum that a file store must do to lose nothing and expose no partial file: write separately, flush, rename.
 */
async function writeFlushed(path: string, { nonce, ciphertext, tag }: Plain): Promise<void> {
  const file = await open(`${path}.tmp`, 'w')
  await file.writev([nonce, ciphertext, tag])
  await file.sync()
  await file.close()
  await rename(`${path}.tmp`, path)
  const folder = await open(dirname(path))
  await folder.sync()
  await folder.close()
}

/** A storage medium without cost, so that only encryption is measured. */
function memoryStore(): ObjectStore {
  const objects = new Map<string, Uint8Array[]>()
  const below = (folder: string) => [...objects.keys()].filter((each) => each.startsWith(`${folder}/`))
  return {
    async write(name, body, mode) {
      if (mode === 'create' && objects.has(name)) return 'exists'
      const pieces: Uint8Array[] = []
      for await (const piece of body) pieces.push(piece)
      objects.set(name, pieces)
      return 'written'
    },
    async read(name) {
      const pieces = objects.get(name)
      return pieces && Buffer.concat(pieces)
    },
    stream: async () => undefined,
    exists: async (name) => objects.has(name),
    delete: async (name) => objects.delete(name),
    async *children(folder) {
      yield* new Set(below(folder).map((each) => each.slice(folder.length + 1).split('/')[0]!))
    },
    async *list() {},
    collectOrphans: async () => 0,
    check: async () => {},
  }
}

const sorted = (values: readonly number[]) => [...values].sort((a, b) => a - b)
const percentile = (values: readonly number[], share: number) =>
  sorted(values)[Math.min(values.length - 1, Math.floor(values.length * share))]!
const median = (values: readonly number[]) => percentile(values, 0.5)

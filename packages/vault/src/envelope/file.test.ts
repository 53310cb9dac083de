import { createHash, randomBytes } from 'node:crypto'
import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { VaultIntegrityError } from '../errors.ts'
import {
  decryptFile,
  decryptFileStream,
  encryptFile,
  encryptFileStream,
  type FileIdentity,
  frameBytes,
  headerBytes,
} from './file.ts'

const dataKey = randomBytes(32)
const identity: FileIdentity = { scope: { app_id: 'app_1', session_id: 'ses_1' }, objectId: 'front' }
const alive = () => {}
const smallFrame = 16
const seal = (plaintext: Buffer, frame = smallFrame, key = dataKey, who = identity) =>
  Buffer.concat(encryptFile(key, who, 'image/jpeg', plaintext, frame))
const open = (file: Buffer, key = dataKey, who = identity) =>
  decryptFile(key, who, Buffer.from(file)).plaintext

async function* inChunks(bytes: Buffer, size: number): AsyncGenerator<Buffer> {
  for (let offset = 0; offset < bytes.length; offset += size) yield bytes.subarray(offset, offset + size)
}
const stored = (file: Buffer, size: number) => ({
  bytes: file.length,
  body: inChunks(file, size),
  close: async () => {},
})
async function collect(pieces: AsyncIterable<Buffer>): Promise<Buffer> {
  const all: Buffer[] = []
  for await (const piece of pieces) all.push(piece)
  return Buffer.concat(all)
}

describe('a file of the vault', () => {
  test('is read back completely at every size around the frame boundaries, streamed or not', async () => {
    for (let size = 0; size <= 3 * smallFrame + 1; size++) {
      const plaintext = randomBytes(size)
      expect(open(seal(plaintext)).equals(plaintext)).toBe(true)
      const pieces = encryptFileStream(dataKey, identity, 'a/b', inChunks(plaintext, 5), alive, smallFrame)
      const file = await collect(pieces)
      expect(open(file).equals(plaintext)).toBe(true)
      const back = await collect(decryptFileStream(dataKey, identity, stored(file, 7), alive))
      expect(back.equals(plaintext)).toBe(true)
    }
  })

  test.each([-1, 0, 1])('is read back completely at the production frame size %i', (more) => {
    const plaintext = randomBytes(2 * frameBytes + more)
    expect(open(seal(plaintext, frameBytes)).equals(plaintext)).toBe(true)
  })

  test('is read back completely whatever the chunk and frame sizes', async () => {
    const sizes = fc.integer({ min: 1, max: 300 })
    await fc.assert(
      fc.asyncProperty(
        fc.uint8Array({ maxLength: 2000 }),
        sizes,
        sizes,
        sizes,
        async (bytes, frame, a, b) => {
          const plaintext = Buffer.from(bytes)
          const source = inChunks(plaintext, a)
          const file = await collect(encryptFileStream(dataKey, identity, 'a/b', source, alive, frame))
          expect(open(file).equals(plaintext)).toBe(true)
          const back = await collect(decryptFileStream(dataKey, identity, stored(file, b), alive))
          expect(back.equals(plaintext)).toBe(true)
        },
      ),
    )
  })

  test('reveals neither its contents nor their type, and never has the same bytes twice', () => {
    const plaintext = Buffer.alloc(4 * smallFrame, 'SECRET-MARKER')
    const [one, two] = [seal(plaintext), seal(plaintext)]
    expect(one.includes('SECRET')).toBe(false)
    expect(one.includes('jpeg')).toBe(false)
    for (let at = headerBytes; at + 8 <= one.length; at++)
      expect(two.includes(one.subarray(at, at + 8))).toBe(false)
  })

  test('is rejected entirely after any flipped bit', async () => {
    const file = seal(randomBytes(2 * smallFrame + 3))
    for (let at = 0; at < file.length; at++) {
      const bad = Buffer.from(file)
      bad[at]! ^= 1 << (at % 8)
      expect(() => open(bad)).toThrow(VaultIntegrityError)
      const reading = collect(decryptFileStream(dataKey, identity, stored(bad, 40), alive))
      await expect(reading).rejects.toThrow(VaultIntegrityError)
    }
  })

  test('is rejected when truncated or extended anywhere, including at a frame boundary', async () => {
    const file = seal(randomBytes(3 * smallFrame))
    const longer = [Buffer.concat([file, Buffer.alloc(1)]), Buffer.concat([file, file.subarray(-32)])]
    const shorter = Array.from({ length: file.length }, (_, length) => file.subarray(0, length))
    for (const bad of [...shorter, ...longer]) {
      expect(() => open(bad)).toThrow(VaultIntegrityError)
      const reading = collect(decryptFileStream(dataKey, identity, stored(bad, 33), alive))
      await expect(reading).rejects.toThrow(VaultIntegrityError)
    }
  })

  test('is rejected when the store reports a larger size than it returns', async () => {
    const file = seal(randomBytes(40))
    const lying = { ...stored(file, 10), bytes: file.length + 16 }
    await expect(collect(decryptFileStream(dataKey, identity, lying, alive))).rejects.toThrow(
      VaultIntegrityError,
    )
  })

  test('is rejected when frames are swapped, repeated or taken from another file of the same object', () => {
    const start = headerBytes + 'image/jpeg'.length + 16
    const sealedFrame = smallFrame + 16
    const plaintext = randomBytes(4 * smallFrame)
    const [file, other] = [seal(plaintext), seal(plaintext)]
    const frame = (from: Buffer, n: number) =>
      from.subarray(start + n * sealedFrame, start + (n + 1) * sealedFrame)
    const rebuilt = (...frames: Buffer[]) => Buffer.concat([file.subarray(0, start), ...frames])
    const [a, b, c, d] = [0, 1, 2, 3].map((n) => frame(file, n)) as [Buffer, Buffer, Buffer, Buffer]
    expect(open(rebuilt(a, b, c, d)).equals(plaintext)).toBe(true)
    for (const bad of [
      rebuilt(b, a, c, d),
      rebuilt(a, a, c, d),
      rebuilt(a, b, d, c),
      rebuilt(a, b, d),
      rebuilt(a, frame(other, 1), c, d),
    ])
      expect(() => open(bad)).toThrow(VaultIntegrityError)
  })

  test('opens only for its own app, session and object, even under the same key', () => {
    const { scope } = identity
    const file = seal(randomBytes(20))
    for (const who of [
      { scope: { ...scope, app_id: 'app_2' }, objectId: 'front' },
      { scope: { ...scope, session_id: 'ses_2' }, objectId: 'front' },
      { scope, objectId: 'back' },
      // The same characters, divided differently.
      { scope: { app_id: 'app_1ses_', session_id: '1' }, objectId: 'front' },
    ])
      expect(() => open(file, dataKey, who)).toThrow(VaultIntegrityError)
    expect(() => open(file, randomBytes(32))).toThrow(VaultIntegrityError)
  })

  test('never returns the contents of another file, whatever bytes replace it', () => {
    const file = seal(randomBytes(50))
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), fc.nat(200), (bytes, keep) => {
        const forged = Buffer.concat([file.subarray(0, Math.min(keep, file.length - 1)), Buffer.from(bytes)])
        fc.pre(!forged.equals(file))
        expect(() => open(forged)).toThrow(VaultIntegrityError)
      }),
    )
  })

  test('stops returning frames once its key is destroyed', async () => {
    const file = seal(randomBytes(4 * smallFrame))
    let frames = 0
    const reading = collect(
      decryptFileStream(dataKey, identity, stored(file, 10), () => {
        if (++frames > 2) throw new Error('destroyed')
      }),
    )
    await expect(reading).rejects.toThrow('destroyed')
  })

  test('can be decrypted manually as the README describes the format', async () => {
    const { createDecipheriv, hkdfSync } = await import('node:crypto')
    const plaintext = randomBytes(smallFrame + 5)
    const file = seal(plaintext)
    const part = (bytes: Buffer) => Buffer.concat([Buffer.from([bytes.length >> 8, bytes.length]), bytes])
    const header = file.subarray(0, 42)
    const words = ['kyc-vault/1/file', 'app_1', 'ses_1', 'front'].map((word) => part(Buffer.from(word)))
    const bound = Buffer.concat([...words, part(header)])
    const fileKey = Buffer.from(hkdfSync('sha256', dataKey, header.subarray(10), bound, 32))
    const openFrame = (index: number, last: number, sealed: Buffer) => {
      const position = Buffer.from([0, 0, 0, index, last])
      const nonce = Buffer.concat([Buffer.alloc(7), position])
      const decipher = createDecipheriv('aes-256-gcm', fileKey, nonce)
      decipher.setAAD(Buffer.concat([bound, position]))
      decipher.setAuthTag(sealed.subarray(-16))
      return Buffer.concat([decipher.update(sealed.subarray(0, -16)), decipher.final()])
    }
    const typeEnd = 42 + file.readUInt8(5) + 16
    expect(openFrame(0, 0, file.subarray(42, typeEnd)).toString()).toBe('image/jpeg')
    const first = openFrame(1, 0, file.subarray(typeEnd, typeEnd + 32))
    const second = openFrame(2, 1, file.subarray(typeEnd + 32))
    const digest = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')
    expect(digest(Buffer.concat([first, second]))).toBe(digest(plaintext))
  })
})

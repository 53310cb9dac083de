import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import { VaultIntegrityError } from '../errors.ts'
import { lengthPrefixed, type Scope } from '../scope.ts'
import type { StoredStream } from '../store/object-store.ts'
import { deriveKey, nonceBytes, tagBytes } from './aead.ts'

/** Plaintext bytes of a full frame: large enough for AES-GCM to run at full speed, small enough to stream. */
export const frameBytes = 1024 * 1024
const maxFrameBytes = 16 * 1024 * 1024

const magic = Buffer.from('KYCF', 'ascii')
const version = 1
const saltBytes = 32
export const headerBytes = 4 + 1 + 1 + 4 + saltBytes
const label = 'kyc-vault/1/file'

export type FileIdentity = { scope: Scope; objectId: string }

/**
 * The cipher of one file: online authenticated encryption as in STREAM (Hoang, Reyhanitabar, Rogaway and Vizár, CRYPTO
 * 2015). Each file has its own key, derived by HKDF, so nonces are counters and never repeat under a key.
 */
class FrameCipher {
  readonly #key: Buffer
  readonly #aad: Buffer

  constructor(dataKey: Buffer, identity: FileIdentity, header: Buffer) {
    const { scope, objectId } = identity
    const bound = lengthPrefixed(label, scope.app_id, scope.session_id, objectId, header)
    this.#key = deriveKey(dataKey, header.subarray(headerBytes - saltBytes), bound)
    this.#aad = bound
  }

  #frame(index: number, last: boolean): { nonce: Buffer; aad: Buffer } {
    const position = Buffer.alloc(5)
    position.writeUInt32BE(index, 0)
    position.writeUInt8(last ? 1 : 0, 4)
    return {
      nonce: Buffer.concat([Buffer.alloc(nonceBytes - 5), position]),
      aad: Buffer.concat([this.#aad, position]),
    }
  }

  seal(index: number, last: boolean, plaintext: Uint8Array): [ciphertext: Buffer, tag: Buffer] {
    const { nonce, aad } = this.#frame(index, last)
    const cipher = createCipheriv('aes-256-gcm', this.#key, nonce)
    cipher.setAAD(aad)
    const ciphertext = cipher.update(plaintext)
    cipher.final()
    return [ciphertext, cipher.getAuthTag()]
  }

  open(index: number, last: boolean, sealed: Buffer): Buffer {
    const { nonce, aad } = this.#frame(index, last)
    const decipher = createDecipheriv('aes-256-gcm', this.#key, nonce, { authTagLength: tagBytes })
    decipher.setAAD(aad)
    decipher.setAuthTag(sealed.subarray(sealed.length - tagBytes))
    try {
      const plaintext = decipher.update(sealed.subarray(0, sealed.length - tagBytes))
      decipher.final()
      return plaintext
    } catch {
      throw damaged('does not authenticate')
    }
  }
}

const damaged = (how: string) =>
  new VaultIntegrityError(`A stored file ${how}: it is damaged, cut, or not the one of this object.`)

function newHeader(contentType: string, plainFrameBytes: number): Buffer {
  const header = Buffer.alloc(headerBytes)
  magic.copy(header)
  header.writeUInt8(version, 4)
  header.writeUInt8(Buffer.byteLength(contentType, 'latin1'), 5)
  header.writeUInt32BE(plainFrameBytes, 6)
  randomBytes(saltBytes).copy(header, 10)
  return header
}

function checkContentType(contentType: string): string {
  if (!/^[\x21-\x7e][\x20-\x7e]{0,126}$/.test(contentType))
    throw new TypeError('content_type must be 1 to 127 printable ASCII characters.')
  return contentType
}

/** Encrypts a whole buffer. Returns the pieces of the file in order. `dataKey` is 32 bytes. */
export function encryptFile(
  dataKey: Buffer,
  identity: FileIdentity,
  contentType: string,
  plaintext: Uint8Array,
  plainFrameBytes = frameBytes,
): Buffer[] {
  const header = newHeader(checkContentType(contentType), plainFrameBytes)
  const cipher = new FrameCipher(dataKey, identity, header)
  const pieces = [header, ...cipher.seal(0, false, Buffer.from(contentType, 'latin1'))]
  let offset = 0
  for (let index = 1; ; index++) {
    const frame = plaintext.subarray(offset, offset + plainFrameBytes)
    offset += frame.length
    const last = offset >= plaintext.length
    pieces.push(...cipher.seal(index, last, frame))
    if (last) return pieces
  }
}

/** Encrypts a stream with one frame in memory at a time. `alive` is called before each frame and may throw. */
export async function* encryptFileStream(
  dataKey: Buffer,
  identity: FileIdentity,
  contentType: string,
  source: AsyncIterable<Uint8Array>,
  alive: () => void,
  plainFrameBytes = frameBytes,
): AsyncGenerator<Buffer> {
  const header = newHeader(checkContentType(contentType), plainFrameBytes)
  const cipher = new FrameCipher(dataKey, identity, header)
  yield header
  yield* cipher.seal(0, false, Buffer.from(contentType, 'latin1'))
  const pending = new ByteQueue()
  let index = 1
  for await (const chunk of source) {
    pending.push(chunk)
    // A full frame waits until more data has arrived, because the last frame is marked.
    while (pending.length > plainFrameBytes) {
      alive()
      yield* cipher.seal(index++, false, pending.take(plainFrameBytes))
    }
  }
  alive()
  yield* cipher.seal(index, true, pending.take(pending.length))
}

export type DecryptedFile = { contentType: string; plaintext: Buffer }

/**
 * Decrypts a whole file. Returns nothing unless all of it authenticates (`VaultIntegrityError`). `file` is overwritten
 * with the plaintext, which avoids a second allocation of the same size.
 */
export function decryptFile(dataKey: Buffer, identity: FileIdentity, file: Buffer): DecryptedFile {
  const layout = readHeader(file.subarray(0, headerBytes), file.length)
  const cipher = new FrameCipher(dataKey, identity, file.subarray(0, headerBytes))
  let offset = headerBytes + layout.contentTypeBytes + tagBytes
  const contentType = cipher.open(0, false, file.subarray(headerBytes, offset)).toString('latin1')
  let plaintextBytes = 0
  for (let index = 1; index <= layout.frames; index++) {
    const end = Math.min(offset + layout.sealedFrameBytes, file.length)
    const frame = cipher.open(index, index === layout.frames, file.subarray(offset, end))
    if (layout.frames === 1) return { contentType, plaintext: frame }
    // Always behind the read position, because a plaintext frame is shorter than its sealed form.
    plaintextBytes += frame.copy(file, plaintextBytes)
    offset = end
  }
  return { contentType, plaintext: file.subarray(0, plaintextBytes) }
}

/** The content type and plaintext size of a file, from its header and first frame; does not read the rest. */
export async function describeFile(
  dataKey: Buffer,
  identity: FileIdentity,
  stored: StoredStream,
): Promise<{ contentType: string; plaintextBytes: number }> {
  const reader = new FrameReader(stored.body)
  const { contentType, layout } = await openStart(dataKey, identity, stored.bytes, reader)
  const overhead = headerBytes + layout.contentTypeBytes + tagBytes * (layout.frames + 1)
  return { contentType, plaintextBytes: stored.bytes - overhead }
}

/**
 * Decrypts a file frame by frame. Each returned piece is authentic, in order and from the start, but only a normal end
 * shows that the file is complete: a truncated file throws at the point of truncation.
 */
export async function* decryptFileStream(
  dataKey: Buffer,
  identity: FileIdentity,
  stored: StoredStream,
  alive: () => void,
): AsyncGenerator<Buffer> {
  const reader = new FrameReader(stored.body)
  const { cipher, layout } = await openStart(dataKey, identity, stored.bytes, reader)
  for (let index = 1; index <= layout.frames; index++) {
    const last = index === layout.frames
    const sealed = await reader.take(last ? layout.lastFrameBytes : layout.sealedFrameBytes)
    alive()
    yield cipher.open(index, last, sealed)
  }
}

async function openStart(dataKey: Buffer, identity: FileIdentity, bytes: number, reader: FrameReader) {
  const header = await reader.take(Math.min(headerBytes, bytes))
  const layout = readHeader(header, bytes)
  const cipher = new FrameCipher(dataKey, identity, header)
  const contentType = cipher.open(0, false, await reader.take(layout.contentTypeBytes + tagBytes))
  return { cipher, layout, contentType: contentType.toString('latin1') }
}

type Layout = {
  contentTypeBytes: number
  sealedFrameBytes: number
  lastFrameBytes: number
  frames: number
}

/** Reads only what is needed to find the frames. The tag of the first frame authenticates the header. */
function readHeader(header: Buffer, totalBytes: number): Layout {
  if (header.length < headerBytes || !header.subarray(0, 4).equals(magic)) throw damaged('has no header')
  if (header.readUInt8(4) !== version) throw damaged('has an unknown version')
  const contentTypeBytes = header.readUInt8(5)
  const plainFrameBytes = header.readUInt32BE(6)
  if (plainFrameBytes === 0 || plainFrameBytes > maxFrameBytes) throw damaged('has an impossible header')
  const sealedFrameBytes = plainFrameBytes + tagBytes
  const rest = totalBytes - headerBytes - contentTypeBytes - tagBytes
  const frames = Math.ceil(rest / sealedFrameBytes)
  const lastFrameBytes = rest - (frames - 1) * sealedFrameBytes
  if (rest < tagBytes || lastFrameBytes < tagBytes) throw damaged('is cut')
  return { contentTypeBytes, sealedFrameBytes, lastFrameBytes, frames }
}

/** A queue of bytes from which any number can be taken. */
class ByteQueue {
  #chunks: Uint8Array[] = []
  length = 0

  push(chunk: Uint8Array): void {
    this.#chunks.push(chunk)
    this.length += chunk.length
  }

  take(bytes: number): Buffer {
    const all = this.#chunks.length === 1 ? this.#chunks[0]! : Buffer.concat(this.#chunks)
    const whole = Buffer.from(all.buffer, all.byteOffset, all.byteLength)
    this.#chunks = whole.length > bytes ? [whole.subarray(bytes)] : []
    this.length = whole.length - bytes
    return whole.subarray(0, bytes)
  }
}

/** Reads exact sizes from a stream. A stream that ends early is a truncated file. */
class FrameReader {
  readonly #iterator: AsyncIterator<Buffer>
  readonly #pending = new ByteQueue()

  constructor(body: AsyncIterable<Buffer>) {
    this.#iterator = body[Symbol.asyncIterator]()
  }

  async take(bytes: number): Promise<Buffer> {
    while (this.#pending.length < bytes) {
      const next = await this.#iterator.next()
      if (next.done) throw damaged('is cut')
      this.#pending.push(next.value)
    }
    return this.#pending.take(bytes)
  }
}

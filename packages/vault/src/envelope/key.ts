import { createHash } from 'node:crypto'
import { VaultIntegrityError } from '../errors.ts'

/** A wrapped key as it is stored: the key that wraps it, and the wrapped bytes. */
export type WrappedKey = { wrapper: 'key_encryption_key' | 'app_key'; keyId: string; wrapped: Buffer }

const magic = Buffer.from('KYCK', 'ascii')
const version = 1
const wrappers = { key_encryption_key: 1, app_key: 2 } as const
const fixedBytes = 4 + 1 + 1 + 2 + 2
const checksumBytes = 8

/**
 * magic ‖ version ‖ wrapper ‖ id length ‖ wrapped length ‖ id ‖ wrapped ‖ checksum. The checksum (the first 8 bytes of
 * SHA-256) has no security purpose. It distinguishes a damaged file from a key that is not configured.
 */
export function encodeWrappedKey(key: WrappedKey): Buffer {
  const id = Buffer.from(key.keyId, 'utf8')
  const head = Buffer.alloc(fixedBytes)
  magic.copy(head)
  head.writeUInt8(version, 4)
  head.writeUInt8(wrappers[key.wrapper], 5)
  head.writeUInt16BE(id.length, 6)
  head.writeUInt16BE(key.wrapped.length, 8)
  const content = Buffer.concat([head, id, key.wrapped])
  return Buffer.concat([content, checksum(content)])
}

/** Reads the output of `encodeWrappedKey`. Throws `VaultIntegrityError` for anything else. */
export function decodeWrappedKey(bytes: Buffer, wrapper: WrappedKey['wrapper']): WrappedKey {
  const content = bytes.subarray(0, Math.max(0, bytes.length - checksumBytes))
  const whole =
    content.length >= fixedBytes &&
    checksum(content).equals(bytes.subarray(content.length)) &&
    content.subarray(0, 4).equals(magic)
  if (!whole) throw new VaultIntegrityError('A stored key is damaged.')
  if (content.readUInt8(4) !== version) throw new VaultIntegrityError('A stored key has an unknown version.')
  const idEnd = fixedBytes + content.readUInt16BE(6)
  if (content.readUInt8(5) !== wrappers[wrapper] || content.length !== idEnd + content.readUInt16BE(8))
    throw new VaultIntegrityError('A stored key is not the one of this place.')
  return {
    wrapper,
    keyId: content.subarray(fixedBytes, idEnd).toString('utf8'),
    wrapped: content.subarray(idEnd),
  }
}

const checksum = (content: Buffer) => createHash('sha256').update(content).digest().subarray(0, checksumBytes)

import { createHash, type KeyObject, verify } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ListRejectedError } from '../domain/lists/rejection.ts'
import type { ListFile } from './source.ts'

/** The output of `sha256sum`, and the raw Ed25519 signature of that file. */
export const checksumsFile = 'SHA256SUMS'
export const signatureFile = 'SHA256SUMS.sig'

/**
 * Reads the signed checksums: SHA-256 in hex by path relative to the folder.
 * @throws ListRejectedError `not_signed` when a file is missing or the signature does not verify with this key
 */
export async function readSignedChecksums(
  directory: string,
  key: KeyObject,
): Promise<ReadonlyMap<string, string>> {
  const [checksums, signature] = await Promise.all([
    readPart(directory, checksumsFile),
    readPart(directory, signatureFile),
  ])
  if (!verify(null, checksums, key, signature))
    throw new ListRejectedError('not_signed', `${signatureFile} is not a valid signature of ${checksumsFile}`)
  const checksumByPath = new Map<string, string>()
  for (const line of checksums.toString('utf8').split('\n')) {
    const [, checksum, path] = line.match(/^([0-9a-f]{64}) [ *](?:\.\/)?(.+?)\r?$/) ?? []
    if (checksum !== undefined && path !== undefined) checksumByPath.set(path, checksum)
  }
  return checksumByPath
}

/** @throws ListRejectedError `not_signed` when the file has no signed checksum or does not match it */
export async function verifyChecksum(
  found: { path: string; file: ListFile },
  checksums: ReadonlyMap<string, string>,
): Promise<void> {
  const signed = checksums.get(found.path.replaceAll('\\', '/'))
  if (signed === undefined)
    throw new ListRejectedError('not_signed', `the file is not listed in ${checksumsFile}`)
  const hash = createHash('sha256')
  for await (const chunk of found.file.open()) hash.update(chunk)
  if (hash.digest('hex') !== signed)
    throw new ListRejectedError('not_signed', 'SHA-256 does not match the signed checksum')
}

async function readPart(directory: string, name: string): Promise<Buffer> {
  try {
    return await readFile(join(directory, name))
  } catch (cause) {
    throw new ListRejectedError('not_signed', `the folder contains no readable ${name}`, { cause })
  }
}

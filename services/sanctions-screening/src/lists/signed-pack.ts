import { createHash, type KeyObject, verify } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { FoundFile } from './folder-files.ts'
import { ListRejected } from './rejection.ts'

/** As `sha256sum` writes it, and the raw Ed25519 signature of its bytes. */
export const sumsFile = 'SHA256SUMS'
export const signatureFile = 'SHA256SUMS.sig'

/**
 * What the signer vouches for: SHA-256 in hex by path below the folder.
 * @throws ListRejected `not_signed` when a file is missing, or the signature is not of this key
 */
export async function readSignedSums(
  directory: string,
  key: KeyObject,
): Promise<ReadonlyMap<string, string>> {
  const [sums, signature] = await Promise.all([
    readPart(directory, sumsFile),
    readPart(directory, signatureFile),
  ])
  if (!verify(null, sums, key, signature))
    throw new ListRejected('not_signed', `${signatureFile} is not this key’s signature of ${sumsFile}`)
  const known = new Map<string, string>()
  for (const line of sums.toString('utf8').split('\n')) {
    const [, sum, path] = line.match(/^([0-9a-f]{64}) [ *](?:\.\/)?(.+?)\r?$/) ?? []
    if (sum !== undefined && path !== undefined) known.set(path, sum)
  }
  return known
}

/** @throws ListRejected `not_signed` when the file is not in the list of sums, or is not what was signed */
export async function checkSigned(found: FoundFile, sums: ReadonlyMap<string, string>): Promise<void> {
  const signed = sums.get(found.path.replaceAll('\\', '/'))
  if (signed === undefined) throw new ListRejected('not_signed', `the file is not in ${sumsFile}`)
  const hash = createHash('sha256')
  for await (const chunk of found.file.open()) hash.update(chunk)
  if (hash.digest('hex') !== signed) throw new ListRejected('not_signed', 'the file is not what was signed')
}

async function readPart(directory: string, name: string): Promise<Buffer> {
  try {
    return await readFile(join(directory, name))
  } catch (cause) {
    throw new ListRejected('not_signed', `the folder has no readable ${name}`, { cause })
  }
}

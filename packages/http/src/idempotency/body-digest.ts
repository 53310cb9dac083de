import { createHash, webcrypto } from 'node:crypto'
import type { UploadedFiles } from '../multipart.ts'

/** From this size on, hashing on another thread is cheaper than on this one. */
const parallelBytes = 256 * 1024

/**
 * SHA-256 of the content of a request: the bytes of a JSON body, or the parts of a multipart body, whose bytes differ
 * on every attempt because its boundary is random. 32 bytes.
 */
export async function bodyDigest(
  rawBody: Buffer,
  multipart?: { fields: unknown; files: UploadedFiles },
): Promise<Buffer> {
  if (!multipart) return sha256(rawBody)
  const fields = Object.entries(multipart.fields ?? {})
  const files = await Promise.all(
    Object.entries(multipart.files).map(async ([name, list]) => {
      const digests = await Promise.all(list.map(async ({ bytes }) => (await sha256(bytes)).toString('hex')))
      return [name, digests] as const
    }),
  )
  const byName = (a: readonly [string, unknown], b: readonly [string, unknown]) => (a[0] < b[0] ? -1 : 1)
  return sha256(Buffer.from(JSON.stringify([fields.sort(byName), files.sort(byName)])))
}

async function sha256(bytes: Buffer): Promise<Buffer> {
  if (bytes.length < parallelBytes) return createHash('sha256').update(bytes).digest()
  return Buffer.from(await webcrypto.subtle.digest('SHA-256', new Uint8Array(bytes)))
}

import { ListRejectedError } from '../domain/lists/rejection.ts'
import type { ListFile } from './source.ts'

type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252'

/** The encoding from the byte-order mark or, failing that, the XML declaration. Null when neither is present. */
export function declaredEncoding(head: Uint8Array): Encoding | null {
  if (head[0] === 0xff && head[1] === 0xfe) return 'utf-16le'
  if (head[0] === 0xfe && head[1] === 0xff) return 'utf-16be'
  if (head[0] === 0xef && head[1] === 0xbb && head[2] === 0xbf) return 'utf-8'
  const start = new TextDecoder('windows-1252').decode(head.subarray(0, 200))
  const label = start.match(/^\s*<\?xml[^>]*encoding=["']([\w-]+)["']/)?.[1]?.toLowerCase()
  if (label === undefined) return null
  if (label === 'utf-8' || label === 'us-ascii') return 'utf-8'
  if (label === 'utf-16') return 'utf-16le'
  if (label === 'iso-8859-1' || label === 'latin1' || label === 'windows-1252') return 'windows-1252'
  throw new ListRejectedError('encoding', `the file declares an unsupported encoding: ${label}`)
}

/**
 * The declared encoding of a file. Without a declaration, UTF-8 when the complete file is valid UTF-8 and Windows-1252
 * otherwise, because older UK lists used that. Streams the file without buffering it.
 */
export async function detectEncoding(file: ListFile, head: Uint8Array): Promise<Encoding> {
  const declared = declaredEncoding(head)
  if (declared !== null) return declared
  const decoder = new TextDecoder('utf-8', { fatal: true })
  try {
    for await (const chunk of file.open()) decoder.decode(chunk, { stream: true })
    decoder.decode()
    return 'utf-8'
  } catch {
    return 'windows-1252'
  }
}

/** Decodes a byte stream in chunks. Invalid bytes are rejected, because a replacement character would alter names. */
export async function* decodeStream(
  bytes: AsyncIterable<Uint8Array>,
  encoding: Encoding,
): AsyncGenerator<string> {
  const decoder = new TextDecoder(encoding, { fatal: true })
  try {
    for await (const chunk of bytes) {
      const text = decoder.decode(chunk, { stream: true })
      if (text !== '') yield text
    }
    const rest = decoder.decode()
    if (rest !== '') yield rest
  } catch (error) {
    if (isInvalidEncoding(error))
      throw new ListRejectedError('encoding', `the file is not valid ${encoding}`, { cause: error })
    throw error
  }
}

function isInvalidEncoding(error: unknown): boolean {
  return (
    typeof error === 'object' &&
    error !== null &&
    'code' in error &&
    error.code === 'ERR_ENCODING_INVALID_ENCODED_DATA'
  )
}

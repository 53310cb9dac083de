import { badRequest, type FilePart } from '@kyc/common'
import busboy from 'busboy'
import type { Request } from 'express'

/**
 * One file of a multipart body, in memory. The client's file name and type are discarded, because only the bytes count.
 */
export type UploadedFile = { bytes: Buffer }
export type UploadedFiles = Record<string, UploadedFile[]>

const maxTextBytes = 4_096
const maxTextParts = 16

/** Reads a multipart body within the limits of its contract. Every rejection names the part. */
export function readMultipart(
  request: Request,
  parts: Record<string, FilePart>,
): Promise<{ fields: Record<string, string>; files: UploadedFiles }> {
  if (!/^multipart\/form-data\b/i.test(request.headers['content-type'] ?? '')) {
    return Promise.reject(badRequest('content-type: must be multipart/form-data'))
  }
  const largest = Math.max(...Object.values(parts).map((part) => part.max_bytes))
  const count = Object.values(parts).reduce((sum, part) => sum + (part.max_count ?? 1), 0)

  return new Promise((resolve, reject) => {
    let parser: busboy.Busboy
    try {
      parser = busboy({
        headers: request.headers,
        limits: {
          fileSize: largest + 1,
          files: count + 1,
          fields: maxTextParts,
          fieldSize: maxTextBytes,
          parts: count + maxTextParts,
        },
      })
    } catch {
      reject(badRequest('body: is not valid multipart/form-data'))
      return
    }
    const fields: Record<string, string> = Object.create(null)
    const files: UploadedFiles = Object.fromEntries(Object.keys(parts).map((name) => [name, []]))
    let failed = false
    const fail = (message: string) => {
      if (failed) return
      failed = true
      request.unpipe(parser)
      // Read and discard the rest, so that the client can read the response.
      request.resume()
      reject(badRequest(message))
    }

    parser.on('field', (name, value, info) => {
      if (info.valueTruncated) fail(`${name}: is too long`)
      else if (name in fields) fail(`${name}: was given twice`)
      else fields[name] = value
    })
    parser.on('file', (name, stream) => {
      const part = Object.hasOwn(parts, name) ? parts[name] : undefined
      if (!part) {
        stream.resume()
        fail(`${name}: is not a known field`)
        return
      }
      const list = files[name] ?? []
      files[name] = list
      if (list.length >= (part.max_count ?? 1)) {
        stream.resume()
        fail(`${name}: was given more than ${part.max_count ?? 1} times`)
        return
      }
      const file: { bytes: Buffer } = { bytes: Buffer.alloc(0) }
      list.push(file)
      const chunks: Buffer[] = []
      let size = 0
      stream.on('data', (chunk: Buffer) => {
        size += chunk.length
        if (size > part.max_bytes) {
          stream.resume()
          fail(`${name}: must be at most ${part.max_bytes} bytes`)
        } else if (!failed) chunks.push(chunk)
      })
      stream.on('end', () => {
        file.bytes = Buffer.concat(chunks)
      })
      stream.on('error', () => fail(`${name}: could not be read`))
    })
    parser.on('filesLimit', () => fail('body: holds too many files'))
    parser.on('fieldsLimit', () => fail('body: holds too many fields'))
    parser.on('partsLimit', () => fail('body: holds too many parts'))
    parser.on('error', () => fail('body: is not valid multipart/form-data'))
    request.on('aborted', () => fail('body: was cut off'))
    parser.on('close', () => {
      if (failed) return
      for (const [name, part] of Object.entries(parts)) {
        const list = files[name] ?? []
        if (part.required && list.length === 0) return fail(`${name}: is required`)
        if (list.some((file) => file.bytes.length === 0)) return fail(`${name}: is empty`)
      }
      resolve({ fields: { ...fields }, files })
    })
    request.pipe(parser)
  })
}

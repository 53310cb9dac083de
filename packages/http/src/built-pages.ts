import { readdirSync, readFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { UnavailableError } from '@kyc/common'
import type { Request, Response } from 'express'

const types: Record<string, string> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
}

type Encoding = 'br' | 'gzip' | 'identity'

/** A built web app: its page, and assets whose names contain a content hash. */
export type BuiltPages = {
  /** The page; throws {@link UnavailableError} if the app was not built. */
  html(): string
  /** Responds with the asset; false if it does not exist. `immutable` lets browsers cache it permanently. */
  sendAsset(request: Request, response: Response, name: string, immutable: boolean): Promise<boolean>
}

/** Loads a build once. Assets are compressed on first request, so that startup stays fast. */
export function loadBuiltPages(folder: string): BuiltPages {
  const files = new Map<string, Buffer>()
  for (const name of listFiles(folder)) files.set(name, readFileSync(join(folder, name)))
  const html = files.get('index.html')?.toString('utf8')
  files.delete('index.html')
  const compressed = new Map<string, Promise<Buffer>>()
  const encoded = (name: string, plain: Buffer, encoding: Encoding): Promise<Buffer> => {
    const key = `${encoding} ${name}`
    const made = compressed.get(key) ?? compress(plain, encoding)
    compressed.set(key, made)
    return made
  }
  return {
    html: () => {
      if (html === undefined) {
        throw new UnavailableError('The pages were not built: run the build command first.')
      }
      return html
    },
    sendAsset: async (request, response, name, immutable) => {
      const plain = files.get(name)
      if (!plain) return false
      const accepted = request.acceptsEncodings(['br', 'gzip', 'identity'])
      const encoding: Encoding = accepted === 'br' || accepted === 'gzip' ? accepted : 'identity'
      const body = await encoded(name, plain, encoding)
      response.set({
        'content-type': types[extname(name)] ?? 'application/octet-stream',
        'cache-control': immutable ? 'public, max-age=31536000, immutable' : 'public, max-age=3600',
        'x-content-type-options': 'nosniff',
        vary: 'accept-encoding',
        ...(encoding === 'identity' ? {} : { 'content-encoding': encoding }),
      })
      response.end(body)
      return true
    },
  }
}

const toBrotli = promisify(brotliCompress)
const toGzip = promisify(gzip)

function compress(plain: Buffer, encoding: Encoding): Promise<Buffer> {
  if (encoding === 'br') return toBrotli(plain, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } })
  return encoding === 'gzip' ? toGzip(plain, { level: 9 }) : Promise.resolve(plain)
}

function listFiles(folder: string): string[] {
  try {
    return readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name).slice(folder.length).replace(/^\//, ''))
  } catch {
    return []
  }
}

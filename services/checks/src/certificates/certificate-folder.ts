import { readdir, readFile, stat } from 'node:fs/promises'
import { join, parse } from 'node:path'
import type { Clock, Logger } from '@kyc/runtime'
import type { SecureQrKey } from '../domain/aadhaar/index.ts'
import { readPublicKey } from './read-public-key.ts'

/** How long a directory listing is trusted. */
const trustedMs = 1_000
const largestFileBytes = 64 * 1024
const extensions = new Set(['.cer', '.crt', '.pem', '.der'])

interface Entry {
  file: string
  fingerprint: string
}

/**
 * The issuing authority's certificates in a folder, reloaded whenever a file is added, removed or changed; the listing
 * is at most a second old. Files without a usable RSA key are logged by name and skipped.
 */
export class CertificateFolder {
  private readonly directory: string | null
  private readonly logger: Logger
  private readonly clock: Clock
  private keys: readonly SecureQrKey[] = []
  private known = ''
  private lookedAt = Number.NEGATIVE_INFINITY
  private looking: Promise<void> | null = null

  constructor(directory: string | null, { logger, clock }: { logger: Logger; clock: Clock }) {
    this.directory = directory
    this.logger = logger
    this.clock = clock
  }

  /** The installed keys in alphabetical order; each is named after its file without the extension. */
  async current(): Promise<readonly SecureQrKey[]> {
    if (this.directory === null) return []
    const now = this.clock.now().getTime()
    if (Math.abs(now - this.lookedAt) >= trustedMs) {
      this.looking ??= this.look(this.directory).finally(() => {
        this.looking = null
      })
      await this.looking
      this.lookedAt = now
    }
    return this.keys
  }

  private async look(directory: string): Promise<void> {
    const entries = await this.list(directory)
    const known = entries.map((entry) => `${entry.file}:${entry.fingerprint}`).join('|')
    if (known === this.known) return
    const read = await Promise.all(
      entries.map(async ({ file }) => ({ file, bytes: await readFile(join(directory, file)) })),
    )
    const keys: SecureQrKey[] = []
    const refused: string[] = []
    for (const { file, bytes } of read) {
      const key = readPublicKey(bytes)
      if (key === null) refused.push(file)
      else keys.push({ name: parse(file).name, key })
    }
    this.keys = keys
    this.known = known
    this.logger.info('aadhaar certificates loaded', { certificates: keys.map((key) => key.name), refused })
  }

  private async list(directory: string): Promise<Entry[]> {
    try {
      const files = (await readdir(directory))
        .filter((file) => extensions.has(parse(file).ext.toLowerCase()))
        .sort()
      const entries = await Promise.all(
        files.map(async (file) => {
          const { size, mtimeMs, ino } = await stat(join(directory, file))
          return { file, size, fingerprint: `${size},${mtimeMs},${ino}` }
        }),
      )
      return entries.filter(({ size }) => size <= largestFileBytes)
    } catch (error) {
      this.logger.warn('aadhaar certificates folder cannot be read', { error })
      return []
    }
  }
}

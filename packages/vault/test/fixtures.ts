import { randomBytes } from 'node:crypto'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Clock } from '@kyc/runtime'
import {
  createVault,
  folderStore,
  type KeyConfig,
  type KeyEncryptionKeys,
  keysFromConfig,
  type ObjectStore,
  type Scope,
  type Vault,
  type VaultOptions,
} from '../src/index.ts'

export const newKeyConfig = (id: string) => ({ id, key: randomBytes(32).toString('base64') })
export const newKeys = (config: KeyConfig = { current: newKeyConfig('k1') }): KeyEncryptionKeys =>
  keysFromConfig(config)

/** A clock that changes only when a test sets it. */
export function stoppedClock(
  start = new Date('2030-01-01T00:00:00Z'),
): Clock & { advance(ms: number): void } {
  let time = start.getTime()
  return {
    now: () => new Date(time),
    advance(ms) {
      time += ms
    },
  }
}

const folders: string[] = []
// Flushing costs nothing in memory, and these tests cannot show the effect of a power failure anyway.
const parentFolder = existsSync('/dev/shm') ? '/dev/shm' : tmpdir()
export function newFolder(): string {
  const parent = mkdtempSync(join(parentFolder, 'vault-test-'))
  folders.push(parent)
  return join(parent, 'vault')
}
export function removeFolders(): void {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
}

export type Fixture = {
  folder: string
  store: ObjectStore
  keys: KeyEncryptionKeys
  clock: ReturnType<typeof stoppedClock>
  vault: Vault
  /** Another process over the same files, with separate caches. */
  another(options?: Partial<VaultOptions>): Vault
}

export function newVault(options: Partial<VaultOptions> = {}): Fixture {
  const folder = newFolder()
  const store = folderStore(folder)
  const keys = newKeys()
  const clock = stoppedClock()
  const another = (more: Partial<VaultOptions> = {}) =>
    createVault({ store, keys, clock, ...options, ...more })
  return { folder, store, keys, clock, vault: another(), another }
}

export const scopeOf = (app: string, session: string): Scope => ({
  app_id: `app_${app}`,
  session_id: `ses_${session}`,
})
export const jpeg = { contentType: 'image/jpeg' }

export async function* chunked(bytes: Buffer, size: number): AsyncGenerator<Buffer> {
  for (let offset = 0; offset < bytes.length; offset += size) yield bytes.subarray(offset, offset + size)
}

export async function collect(pieces: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const all: Uint8Array[] = []
  for await (const piece of pieces) all.push(piece)
  return Buffer.concat(all)
}

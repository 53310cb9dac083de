import { spawn } from 'node:child_process'
import { mkdirSync, readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, test } from '@jest/globals'
import { createVault, folderStore, keysFromFile } from '../src/index.ts'
import { newFolder, removeFolders, scopeOf } from './fixtures.ts'

afterAll(removeFolders)
const script = fileURLToPath(new URL('./writer-process.ts', import.meta.url))

/** Kills the writer with SIGKILL after it reported `writes` stored files. */
async function killedAfter(writes: number, folder: string, keyFile: string): Promise<void> {
  const options = ['--import', 'tsx', '--conditions=source', script, folder, keyFile]
  const child = spawn(process.execPath, options, { stdio: ['ignore', 'pipe', 'inherit'] })
  const ended = new Promise((resolve) => child.once('exit', resolve))
  let said = 0
  child.stdout.on('data', (dots: Buffer) => {
    said += dots.length
    // Kill it during the next write, which takes several milliseconds.
    if (said >= writes) setTimeout(() => child.kill('SIGKILL'), said % 5)
  })
  await ended
  expect(said).toBeGreaterThanOrEqual(writes)
}

describe('a process killed while it writes', () => {
  test('leaves only complete files, and its leftovers are collected', async () => {
    const folder = newFolder()
    mkdirSync(dirname(folder), { recursive: true })
    const keyFile = join(dirname(folder), 'keys.json')
    const keys = await keysFromFile(keyFile, { createIfMissing: true })
    const scope = scopeOf('1', '1')
    for (const writes of [1, 3, 6]) {
      await killedAfter(writes, folder, keyFile)
      const later = { now: () => new Date(Date.now() + 2 * 60 * 60 * 1000) }
      const vault = createVault({ store: folderStore(folder), keys, clock: later })
      for (const { object_id } of await vault.list(scope)) {
        const bytes = await vault.get(scope, object_id)
        expect(bytes.length).toBeGreaterThanOrEqual(3_000_000)
        expect(bytes.equals(Buffer.alloc(bytes.length, bytes[0]))).toBe(true)
      }
      await vault.collectOrphans()
      expect(readdirSync(join(folder, '.tmp'))).toEqual([])
    }
  }, 180_000)
})

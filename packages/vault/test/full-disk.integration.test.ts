import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { createVault, folderStore, VaultKeyDestroyedError, VaultStorageError } from '../src/index.ts'
import { jpeg, newFolder, newKeys, removeFolders, scopeOf, stoppedClock } from './fixtures.ts'

const disk = newFolder()
mkdirSync(disk, { recursive: true })
const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=4m,mode=0700', 'tmpfs', disk]).status === 0
afterAll(() => {
  if (mounted) spawnSync('umount', [disk])
  removeFolders()
})

if (!mounted) {
  process.stdout.write('skipped: a vault on a full disk (a small one can be mounted by root on Linux only)\n')
  test.skip('SKIPPED: a small disk can be mounted by root on Linux only', () => {})
} else {
  describe('a vault on a disk of 4 MB that is full', () => {
    const folder = join(disk, 'vault')
    const vault = createVault({ store: folderStore(folder), keys: newKeys(), clock: stoppedClock() })
    const scope = scopeOf('1', '1')
    const kept = randomBytes(1_000_000)
    const small = randomBytes(3_000)

    beforeAll(async () => {
      await vault.put(scope, 'kept', kept, jpeg)
      await vault.put(scope, 'small', small, jpeg)
      fillUp(join(disk, 'ballast'))
    })

    test('rejects an upload with a storage error and leaves no partial file', async () => {
      for (const bytes of [randomBytes(100), randomBytes(3_000_000)])
        await expect(vault.put(scope, 'front', bytes, jpeg)).rejects.toThrow(VaultStorageError)
      await expect(vault.put(scopeOf('1', '2'), 'front', kept, jpeg)).rejects.toThrow(/ENOSPC/)
      expect((await vault.list(scope)).map(({ object_id }) => object_id)).toEqual(['kept', 'small'])
      expect(readdirSync(join(folder, '.tmp'))).toEqual([])
    })

    test('keeps the existing file when a replacement does not fit', async () => {
      await expect(vault.put(scope, 'kept', randomBytes(1_000_000), jpeg)).rejects.toThrow(VaultStorageError)
      expect((await vault.get(scope, 'kept')).equals(kept)).toBe(true)
    })

    test('still purges, and records it in the ledger', async () => {
      expect(await vault.destroy(scope)).toEqual({ files_deleted: 2, key_destroyed: true })
      await expect(vault.get(scope, 'kept')).rejects.toThrow(VaultKeyDestroyedError)
      expect(readdirSync(join(folder, 'purge-ledger', scope.app_id))).toEqual([scope.session_id])
    })
  })
}

/** Writes smaller and smaller pieces until not even one byte fits. */
function fillUp(path: string): void {
  for (const size of [1_000_000, 100_000, 10_000, 1_000, 1]) {
    try {
      for (let n = 0; ; n++) writeFileSync(`${path}-${size}-${n}`, Buffer.alloc(size))
    } catch (error) {
      expect((error as NodeJS.ErrnoException).code).toBe('ENOSPC')
    }
  }
}

import { spawnSync } from 'node:child_process'
import { chmodSync, readdirSync, unlinkSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export type SmallDisk = { folder: string; fill(): void; empty(): void; remove(): Promise<void> }

/** A disk of `megabytes` that other users can access, or null if none can be mounted (Linux and root only). */
export async function smallDisk(megabytes: number): Promise<SmallDisk | null> {
  const folder = await mkdtemp(join(tmpdir(), 'kyc-disk-'))
  const options = `size=${megabytes}m,mode=0711`
  if (spawnSync('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', folder]).status !== 0) {
    await rm(folder, { recursive: true })
    return null
  }
  chmodSync(folder, 0o711)
  const ballast = () => readdirSync(folder).filter((name) => name.startsWith('ballast-'))
  let written = 0
  return {
    folder,
    /** Writes ever smaller pieces until not even one byte fits. */
    fill() {
      for (const size of [1_000_000, 100_000, 4_096, 1]) {
        try {
          for (;;) writeFileSync(join(folder, `ballast-${written++}`), Buffer.alloc(size))
        } catch (error) {
          if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error
        }
      }
    },
    empty() {
      for (const name of ballast()) unlinkSync(join(folder, name))
    },
    async remove() {
      spawnSync('umount', ['-l', folder])
      await rm(folder, { recursive: true, force: true })
    },
  }
}

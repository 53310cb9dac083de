import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from '@jest/globals'
import { sharedDir } from '@kyc/testing'
import { decodeImage } from './decode-image.ts'
import { ImageError } from './image-error.ts'

const folder = sharedDir('data', 'hostile', 'images')
const measured = folder ? describe : describe.skip

type Entry = { file: string; kind: string; expect: 'ok' | 'refuse'; may_be?: string; w?: number; h?: number }

const entries: Entry[] = folder ? JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8')) : []

measured('the hostile images (skipped where the set is absent)', () => {
  const table = entries.map((entry) => [entry.file, entry] as const)
  test.each(table)('%s is decoded or rejected as the manifest specifies', async (file, entry) => {
    const outcome = await decodeImage(readFileSync(join(folder!, file))).then(
      (image) => image,
      (error: unknown) => error,
    )
    if (outcome instanceof Error) {
      expect(outcome).toBeInstanceOf(ImageError)
      expect(['refuse', entry.may_be]).toContain(entry.expect)
    } else {
      expect(['ok', entry.may_be]).toContain(entry.expect)
      if (entry.w) expect(outcome).toMatchObject({ originalWidth: entry.w, originalHeight: entry.h })
    }
  })

  test('are processed in bounded memory', async () => {
    const before = process.memoryUsage().rss
    let peak = before
    for (const { file } of entries) {
      await decodeImage(readFileSync(join(folder!, file))).catch(() => undefined)
      peak = Math.max(peak, process.memoryUsage().rss)
    }
    expect(peak - before).toBeLessThan(200 * 1024 * 1024)
  })
})

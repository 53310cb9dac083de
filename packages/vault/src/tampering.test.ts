import { randomBytes } from 'node:crypto'
import { copyFileSync, readdirSync, readFileSync, renameSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from '@jest/globals'
import { type Fixture, jpeg, newVault, removeFolders, scopeOf } from '../test/fixtures.ts'
import { type Scope, VaultError, VaultIntegrityError } from './index.ts'

afterAll(removeFolders)

const [mine, sameApp, otherApp] = [scopeOf('1', '1'), scopeOf('1', '2'), scopeOf('2', '1')]
const contents = new Map<Scope, Buffer>([mine, sameApp, otherApp].map((scope) => [scope, randomBytes(40)]))

async function filledVault() {
  const fixture = newVault()
  for (const [scope, bytes] of contents) {
    await fixture.vault.put(scope, 'front', bytes, jpeg)
    await fixture.vault.put(scope, 'back', randomBytes(40), jpeg)
  }
  return fixture
}
const sessionFolder = ({ folder }: Fixture, { app_id, session_id }: Scope) =>
  join(folder, 'apps', app_id, 'sessions', session_id)

/** Reads in a process with empty caches. */
const read = (fixture: Fixture, scope: Scope, id = 'front') => fixture.another().get(scope, id)

describe('an attacker who can write the files', () => {
  test.each(['objects/front', 'key'])('flips any byte of %s: rejected as damaged', async (file) => {
    const fixture = await filledVault()
    const path = join(sessionFolder(fixture, mine), file)
    const good = readFileSync(path)
    for (let at = 0; at < good.length; at++) {
      const bad = Buffer.from(good)
      bad[at]! ^= 0x40
      writeFileSync(path, bad)
      await expect(read(fixture, mine)).rejects.toThrow(VaultIntegrityError)
    }
    writeFileSync(path, good)
    expect((await read(fixture, mine)).equals(contents.get(mine)!)).toBe(true)
  })

  test('flips any byte of the key of the app: rejected as damaged', async () => {
    const fixture = await filledVault()
    const path = join(fixture.folder, 'apps', mine.app_id, 'keys', '1')
    const good = readFileSync(path)
    for (let at = 0; at < good.length; at++) {
      const bad = Buffer.from(good)
      bad[at]! ^= 0x40
      writeFileSync(path, bad)
      await expect(read(fixture, mine)).rejects.toThrow(VaultIntegrityError)
    }
  })

  test('truncates a file or key at any length: rejected', async () => {
    const fixture = await filledVault()
    for (const file of ['objects/front', 'key']) {
      const path = join(sessionFolder(fixture, mine), file)
      const good = readFileSync(path)
      for (let length = good.length - 1; length >= 0; length -= 7) {
        truncateSync(path, length)
        await expect(read(fixture, mine)).rejects.toThrow(VaultIntegrityError)
      }
      writeFileSync(path, good)
    }
  })

  test('swaps two files of a session, of two sessions, of two apps: rejected, never returned', async () => {
    const fixture = await filledVault()
    const at = (scope: Scope, id: string) => join(sessionFolder(fixture, scope), 'objects', id)
    for (const [a, b] of [
      [at(mine, 'front'), at(mine, 'back')],
      [at(mine, 'front'), at(sameApp, 'front')],
      [at(mine, 'front'), at(otherApp, 'front')],
    ] as const) {
      swap(a, b)
      await expect(read(fixture, mine)).rejects.toThrow(VaultIntegrityError)
      swap(a, b)
    }
    expect((await read(fixture, mine)).equals(contents.get(mine)!)).toBe(true)
  })

  test('swaps keys, with or without the files, of sessions and apps: never returns data of another one', async () => {
    for (const victim of [sameApp, otherApp]) {
      for (const withFiles of [false, true]) {
        const fixture = await filledVault()
        const [a, b] = [sessionFolder(fixture, mine), sessionFolder(fixture, victim)]
        swap(join(a, 'key'), join(b, 'key'))
        if (withFiles) swap(join(a, 'objects', 'front'), join(b, 'objects', 'front'))
        await expect(read(fixture, mine)).rejects.toThrow(VaultIntegrityError)
        await expect(read(fixture, victim)).rejects.toThrow(VaultIntegrityError)
      }
    }
  })

  test('swaps the whole folders of two apps: rejected', async () => {
    const fixture = await filledVault()
    swap(join(fixture.folder, 'apps', mine.app_id), join(fixture.folder, 'apps', otherApp.app_id))
    await expect(read(fixture, mine)).rejects.toThrow(VaultIntegrityError)
    await expect(read(fixture, otherApp)).rejects.toThrow(VaultIntegrityError)
  })

  test('puts an app key in the place of a session key or of the root: rejected', async () => {
    const fixture = await filledVault()
    await fixture.vault.keyedHash(mine, 'document', 'x')
    const app = join(fixture.folder, 'apps', mine.app_id)
    copyFileSync(join(app, 'keys', '1'), join(sessionFolder(fixture, mine), 'key'))
    copyFileSync(join(app, 'keys', '1'), join(app, 'root'))
    await expect(read(fixture, mine)).rejects.toThrow(VaultIntegrityError)
    await expect(fixture.another().keyedHash(mine, 'document', 'x')).rejects.toThrow(VaultIntegrityError)
  })

  test('empties any file: an error of the vault, not a crash', async () => {
    const fixture = await filledVault()
    const files = readdirSync(fixture.folder, { recursive: true, withFileTypes: true })
    const paths = files.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
    for (const path of paths) {
      const good = readFileSync(path)
      writeFileSync(path, '')
      await fixture
        .another()
        .get(mine, 'front')
        .then(
          (bytes) => expect(bytes.equals(contents.get(mine)!)).toBe(true),
          (error) => expect(error).toBeInstanceOf(VaultError),
        )
      writeFileSync(path, good)
    }
  })

  test('finds no contents or keys on the disk', async () => {
    const fixture = newVault()
    const marker = Buffer.from('PLANTED-MARKER-7431')
    await fixture.vault.put(mine, 'front', Buffer.concat([marker, randomBytes(100), marker]), jpeg)
    await fixture.vault.sealForApp(mine.app_id, 'webhook.secret', 'x')
    const files = readdirSync(fixture.folder, { recursive: true, withFileTypes: true })
    const stored = files.filter((entry) => entry.isFile())
    expect(stored.length).toBeGreaterThanOrEqual(4)
    for (const entry of stored)
      expect(readFileSync(join(entry.parentPath, entry.name)).includes(marker)).toBe(false)
  })
})

function swap(a: string, b: string): void {
  renameSync(a, `${a}.swap`)
  renameSync(b, a)
  renameSync(`${a}.swap`, b)
}

import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { createVault, s3Store, VaultKeyDestroyedError, VaultStorageError } from '../src/index.ts'
import { jpeg, newFolder, newKeys, newVault, removeFolders, scopeOf, stoppedClock } from './fixtures.ts'
import { installedServers, type S3Server, startS3Server } from './s3-servers.ts'
import { testStoreContract } from './store-contract.ts'

const servers = installedServers()
afterAll(removeFolders)

if (servers.length === 0)
  test.skip('SKIPPED: no S3 server (minio, versitygw or moto_server) is installed', () => {})

for (const name of servers) {
  describe(`the S3 store on ${name}`, () => {
    let server: S3Server
    let store: ReturnType<typeof s3Store>
    beforeAll(async () => {
      server = await startS3Server(name, newFolder())
      store = s3Store({ ...(await server.options('vault')), prefix: 'kyc/evidence/' })
    })
    afterAll(async () => {
      store.close()
      await server.stop()
    })

    testStoreContract(() => store)

    test('lists more than one page', async () => {
      const names = Array.from({ length: 1_005 }, (_, n) => `pages/p${n}`)
      for (let at = 0; at < names.length; at += 50)
        await Promise.all(
          names.slice(at, at + 50).map((each) => store.write(each, [Buffer.from('x')], 'create')),
        )
      const found: string[] = []
      for await (const child of store.children('pages')) found.push(child)
      expect(new Set(found).size).toBe(1_005)
    }, 180_000)

    test('refuses a bucket that keeps old versions, where destroyed keys would live on', async () => {
      const options = await server.options('versioned')
      await server.keepVersions('versioned').catch(() => undefined)
      const versioned = s3Store(options)
      // versitygw keeps versions only when started with a folder for them.
      if (name === 'versitygw') await versioned.check()
      else await expect(versioned.check()).rejects.toThrow(/old versions/)
      versioned.close()
    })

    test('names a missing bucket, wrong credentials and a server that is away as storage errors', async () => {
      const good = await server.options('other')
      const wrong = { accessKeyId: 'nobody', secretAccessKey: 'nothing-at-all' }
      const faulty = [
        s3Store({ ...good, bucket: 'missing' }),
        s3Store({ ...good, endpoint: 'http://127.0.0.1:1' }),
        // moto accepts every credential.
        ...(name === 'moto_server' ? [] : [s3Store({ ...good, credentials: wrong })]),
      ]
      for (const bad of faulty) {
        const write = bad.write('a/b', [Buffer.from('x')], 'create')
        await expect(write).rejects.toThrow(VaultStorageError)
        bad.close()
      }
    })

    test('holds a vault: race-free keys, purge, rotation', async () => {
      const keys = newKeys()
      const clock = stoppedClock()
      const [a, b] = [createVault({ store, keys, clock }), createVault({ store, keys, clock })]
      await a.check()
      const scope = scopeOf('1', '1')
      const image = randomBytes(1_200_000)
      const sealed = await Promise.all([a, b, a, b].map((vault, n) => vault.seal(scope, 'x', n)))
      await a.put(scope, 'front', image, jpeg)
      const fresh = createVault({ store, keys, clock })
      for (const [n, bytes] of sealed.entries()) expect(await fresh.open(scope, 'x', bytes)).toBe(n)
      await b.rotate()
      expect((await createVault({ store, keys, clock }).get(scope, 'front')).equals(image)).toBe(true)
      expect(await a.destroy(scope)).toEqual({ files_deleted: 1, key_destroyed: true })
      await expect(a.seal(scope, 'x', 1)).rejects.toThrow(VaultKeyDestroyedError)
      expect(await newVault({ store, keys }).vault.replayLedger()).toMatchObject({ purged_sessions: 1 })
    })
  })
}

import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { createVault, s3Store, VaultKeyDestroyedError, VaultStorageError } from '../src/index.ts'
import { jpeg, newFolder, newKeys, newVault, removeFolders, scopeOf, stoppedClock } from './fixtures.ts'
import { installedServers, type S3Server, startS3Server } from './s3-servers.ts'
import { testStoreContract } from './store-contract.ts'

const servers = installedServers()
afterAll(removeFolders)

if (servers.length === 0) {
  process.stdout.write(
    'skipped: the S3 store on a server (minio, versitygw or moto_server is not installed)\n',
  )
  test.skip('SKIPPED: no S3 server (minio, versitygw or moto_server) is installed', () => {})
}

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

    test('lists more than one page, folders and objects', async () => {
      const paged = s3Store({ ...(await server.options('paged')), listPageSize: 4 })
      const names = Array.from({ length: 22 }, (_, n) => (n % 2 ? `pages/object${n}` : `pages/folder${n}/x`))
      for (const each of names) await paged.write(each, [Buffer.from('x')], 'create')
      const [listed, children]: [string[], string[]] = [[], []]
      for await (const { name: each } of paged.list('pages')) listed.push(each)
      for await (const child of paged.children('pages')) children.push(child)
      expect(listed.sort()).toEqual([...names].sort())
      expect(children.sort()).toEqual(names.map((each) => each.split('/')[1]).sort())
      paged.close()
    })

    test('rejects a bucket with versioning, where destroyed keys would survive', async () => {
      const options = await server.options('versioned')
      await server.keepVersions('versioned').catch(() => undefined)
      const versioned = s3Store(options)
      // versitygw supports versioning only when started with a folder for it.
      if (name === 'versitygw') await versioned.check()
      else await expect(versioned.check()).rejects.toThrow(/old versions/)
      versioned.close()
    })

    test('reports a missing bucket, wrong credentials and an unreachable server as storage errors', async () => {
      const good = await server.options('other')
      const wrong = { accessKeyId: 'nobody', secretAccessKey: 'nothing-at-all' }
      const faulty = [
        s3Store({ ...good, bucket: 'missing' }),
        s3Store({ ...good, endpoint: 'http://127.0.0.1:1' }),
        // moto accepts any credentials.
        ...(name === 'moto_server' ? [] : [s3Store({ ...good, credentials: wrong })]),
      ]
      for (const bad of faulty) {
        const write = bad.write('a/b', [Buffer.from('x')], 'create')
        await expect(write).rejects.toThrow(VaultStorageError)
        bad.close()
      }
    })

    test('supports a vault: race-free keys, purge, rotation', async () => {
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

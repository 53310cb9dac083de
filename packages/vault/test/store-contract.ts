import { randomBytes } from 'node:crypto'
import { expect, test } from '@jest/globals'
import type { ObjectStore } from '../src/index.ts'
import { chunked, collect } from './fixtures.ts'

/** The contract of every object store. */
export function testStoreContract(storeOf: () => ObjectStore): void {
  const folder = () => `contract/${randomBytes(8).toString('hex')}`
  const all = async <T>(items: AsyncIterable<T>): Promise<T[]> => {
    const found: T[] = []
    for await (const item of items) found.push(item)
    return found
  }

  test.each([0, 1, 300_000, 6_000_000])('stores %i bytes, written at once or in pieces', async (size) => {
    const [store, at] = [storeOf(), folder()]
    const bytes = randomBytes(size)
    expect(await store.write(`${at}/whole`, [bytes.subarray(0, 1), bytes.subarray(1)], 'create')).toBe(
      'written',
    )
    expect(await store.write(`${at}/pieces`, chunked(bytes, 65_521), 'replace')).toBe('written')
    for (const name of [`${at}/whole`, `${at}/pieces`]) {
      expect((await store.read(name))?.equals(bytes)).toBe(true)
      const stream = await store.stream(name)
      expect(stream?.bytes).toBe(size)
      expect((await collect(stream!.body)).equals(bytes)).toBe(true)
      await stream!.close()
    }
  })

  test('a stream may be closed early or without being read', async () => {
    const [store, at] = [storeOf(), folder()]
    await store.write(`${at}/a`, [randomBytes(2_000_000)], 'create')
    await (await store.stream(`${at}/a`))!.close()
    const started = await store.stream(`${at}/a`)
    for await (const piece of started!.body) {
      expect(piece.length).toBeGreaterThan(0)
      break
    }
    await started!.close()
  })

  test('returns nothing for a missing object', async () => {
    const [store, at] = [storeOf(), folder()]
    expect(await store.read(`${at}/a`)).toBeUndefined()
    expect(await store.stream(`${at}/a`)).toBeUndefined()
    expect(await store.exists(`${at}/a`)).toBe(false)
    expect(await store.delete(`${at}/a`)).toBe(false)
    expect(await all(store.list(at))).toEqual([])
    expect(await all(store.children(at))).toEqual([])
  })

  test('create never replaces an object, replace always does', async () => {
    const [store, at] = [storeOf(), folder()]
    const name = `${at}/a`
    expect(await store.write(name, [Buffer.from('first')], 'create')).toBe('written')
    expect(await store.write(name, [Buffer.from('second')], 'create')).toBe('exists')
    expect((await store.read(name))?.toString()).toBe('first')
    await store.write(name, [Buffer.from('third')], 'replace')
    expect((await store.read(name))?.toString()).toBe('third')
  })

  test('when many create the same name concurrently, one wins and all read its object', async () => {
    const [store, at] = [storeOf(), folder()]
    const racers = Array.from({ length: 12 }, (_, n) => Buffer.from(`racer ${n}`))
    const outcomes = await Promise.all(racers.map((body) => store.write(`${at}/a`, [body], 'create')))
    expect(outcomes.filter((outcome) => outcome === 'written')).toHaveLength(1)
    const winner = racers[outcomes.indexOf('written')]!
    expect((await store.read(`${at}/a`))?.equals(winner)).toBe(true)
  })

  test('a write whose source fails leaves only the old object', async () => {
    const [store, at] = [storeOf(), folder()]
    await store.write(`${at}/a`, [Buffer.from('old')], 'create')
    async function* broken() {
      yield randomBytes(1_000_000)
      throw new Error('the sender went away')
    }
    await expect(store.write(`${at}/a`, broken(), 'replace')).rejects.toThrow('went away')
    await expect(store.write(`${at}/b`, broken(), 'create')).rejects.toThrow('went away')
    expect((await store.read(`${at}/a`))?.toString()).toBe('old')
    expect((await all(store.list(at))).map(({ name }) => name)).toEqual([`${at}/a`])
  })

  test('lists at any depth with sizes, and children one level deep', async () => {
    const [store, at] = [storeOf(), folder()]
    for (const name of ['key', 'sub/a', 'sub/b', 'sub/deep/c', 'other/d'])
      await store.write(`${at}/${name}`, [Buffer.alloc(name.length)], 'create')
    const listed = await all(store.list(at))
    const names = ['key', 'other/d', 'sub/a', 'sub/b', 'sub/deep/c']
    expect(listed.map(({ name }) => name).sort()).toEqual(names.map((name) => `${at}/${name}`))
    for (const { name, bytes, modified_at } of listed) {
      expect(bytes).toBe(name.length - at.length - 1)
      expect(Math.abs(Date.now() - modified_at.getTime())).toBeLessThan(60_000)
    }
    expect((await all(store.children(at))).sort()).toEqual(['key', 'other', 'sub'])
    expect((await all(store.children(`${at}/sub`))).sort()).toEqual(['a', 'b', 'deep'])
  })

  test('deletes while others write in the same folder', async () => {
    const [store, at] = [storeOf(), folder()]
    const rounds = Array.from({ length: 10 }, async (_, n) => {
      await store.write(`${at}/x/${n}`, [Buffer.from('x')], 'create')
      expect(await store.delete(`${at}/x/${n}`)).toBe(true)
      await store.write(`${at}/x/kept${n}`, [Buffer.from('x')], 'create')
    })
    await Promise.all(rounds)
    expect(await all(store.list(at))).toHaveLength(10)
  })

  test('passes its own check', async () => {
    await expect(storeOf().check()).resolves.toBeUndefined()
  })
}

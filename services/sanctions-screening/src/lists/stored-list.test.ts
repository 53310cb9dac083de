import { gunzipSync, gzipSync } from 'node:zlib'
import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { entities, entity } from '../../test/fixtures/entities.ts'
import { sdnCsv } from '../../test/fixtures/ofac.ts'
import { parsePublication } from '../../test/fixtures/parse.ts'
import { entityHash, isEmptyDelta, listDelta } from './delta.ts'
import { packEntities, unpackEntities } from './stored-form.ts'

describe('stored form', () => {
  test('gives back exactly what was stored, in its order', async () => {
    const list = [
      entity('1'),
      entity('2', { names: [{ full: 'ولمور "x"\n', quality: 'primary', script: 'Arab' }] }, 'vessel'),
    ]
    expect(await unpackEntities(await packEntities(list))).toEqual(list)
    expect(await unpackEntities(await packEntities([]))).toEqual([])
  })

  test('keeps the version of every entity, so that the same content is no change', async () => {
    const list = (await parsePublication(sdnCsv)).entities
    const stored = await unpackEntities(await packEntities(list))
    expect(stored.map(entityHash)).toEqual(list.map(entityHash))
  })

  test('refuses a stored list that lost entities, is cut, or is of another form', async () => {
    const packed = await packEntities(entities(10))
    const lines = gunzipSync(packed).toString().trim().split('\n')
    await expect(unpackEntities(gzipSync(lines.slice(0, -1).join('\n')))).rejects.toThrow('damaged')
    await expect(unpackEntities(packed.subarray(0, packed.length - 20))).rejects.toThrow()
    await expect(unpackEntities(gzipSync('{"stored_form":2,"count":0}\n'))).rejects.toThrow()
  })
})

describe('delta', () => {
  test('lists what was added, changed and removed', () => {
    const changed = entity('2', { programs: ['Other'] })
    const delta = listDelta([entity('1'), entity('2'), entity('3')], [entity('4'), changed, entity('3')])
    expect(delta).toEqual({ added: ['4'], changed: ['2'], removed: ['1'] })
  })

  test('another order or another source link is no change', () => {
    const list = entities(5)
    const moved = [...list].reverse().map((item) => ({ ...item, source_url: 'https://example.org' }))
    expect(isEmptyDelta(listDelta(list, moved))).toBe(true)
  })

  test('applied to the older list it gives the newer one', () => {
    const lists = fc.uniqueArray(
      fc.record({ id: fc.nat(30), programs: fc.array(fc.constantFrom('A', 'B'), { maxLength: 2 }) }),
      {
        selector: ({ id }) => id,
      },
    )
    fc.assert(
      fc.property(lists, lists, (before, after) => {
        const [older, newer] = [before, after].map((list) =>
          list.map(({ id, programs }) => entity(String(id), { programs })),
        )
        const { added, changed, removed } = listDelta(older ?? [], newer ?? [])
        const result = new Map((older ?? []).map((item) => [item.id, entityHash(item)]))
        for (const id of removed) result.delete(id)
        for (const item of newer ?? [])
          if ([...added, ...changed].includes(item.id)) result.set(item.id, entityHash(item))
        expect(result).toEqual(new Map((newer ?? []).map((item) => [item.id, entityHash(item)])))
      }),
    )
  })
})

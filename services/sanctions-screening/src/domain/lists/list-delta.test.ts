import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { entities, entity } from '../../../test/fixtures/entities.ts'
import { entityHash, isEmptyDelta, listDelta } from './list-delta.ts'

describe('delta', () => {
  test('lists what was added, changed and removed', () => {
    const changed = entity('2', { programs: ['Other'] })
    const delta = listDelta([entity('1'), entity('2'), entity('3')], [entity('4'), changed, entity('3')])
    expect(delta).toEqual({ added: ['4'], changed: ['2'], removed: ['1'] })
  })

  test('another order or source URL is not a change', () => {
    const list = entities(5)
    const moved = [...list].reverse().map((item) => ({ ...item, source_url: 'https://example.org' }))
    expect(isEmptyDelta(listDelta(list, moved))).toBe(true)
  })

  test('applied to the older list gives the newer one', () => {
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

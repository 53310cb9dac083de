import { expect, test } from '@jest/globals'
import fc from 'fast-check'
import * as search from './search.ts'

test('after sign-in the page goes only to a path of this site', () => {
  expect(search.login({ next: '/apps/app_1/queue?assignee=me' })).toEqual({
    next: '/apps/app_1/queue?assignee=me',
  })
  for (const next of ['https://elsewhere.example', '//elsewhere.example', 'javascript:alert(1)', '', 7]) {
    expect(search.login({ next })).toEqual({})
  }
})

test('any query string is parsed without an error, and parsing the result again changes nothing', () => {
  const raw = fc.dictionary(
    fc.constantFrom(
      'status',
      'assignee',
      'reason',
      'waiting',
      'from',
      'to',
      'page',
      'id',
      'next',
      'actor_type',
    ),
    fc.oneof(
      fc.string(),
      fc.integer(),
      fc.constant(null),
      fc.constantFrom('me', 'none', '2026-02-03', 'user'),
    ),
  )
  fc.assert(
    fc.property(raw, (given) => {
      for (const read of Object.values(search)) {
        const once = read(given)
        expect(read(once)).toEqual(once)
      }
    }),
  )
})

test('an invalid value is left out', () => {
  expect(search.queue({ assignee: 'somebody', waiting: -1 })).toEqual({})
  expect(search.audit({ from: 'yesterday', actor_type: 'robot' })).toEqual({})
  expect(search.deliveries({ page: 0, status: 'lost' })).toEqual({})
})

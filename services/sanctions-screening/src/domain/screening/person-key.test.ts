import { expect, test } from '@jest/globals'
import { personKey } from './person-key.ts'

const key = (full_name: string | null, date_of_birth: string | null = '1980-02-29') =>
  personKey({ full_name, date_of_birth })

test('is the same for any case, word order and diacritics', () => {
  const plain = key('José Álvarez-Núñez')
  for (const name of [
    'ALVAREZ NUNEZ, JOSE',
    'jose  alvarez nunez',
    'Jose\u0301 A\u0301lvarez-Nu\u0301n\u0303ez',
  ])
    expect(key(name)).toBe(plain)
  expect(key('Пётр Иванов')).toBe(key('иванов ПЁТР'))
})

test('differs when a word or the birth date differs', () => {
  const keys = [
    key('Jose Alvarez'),
    key('Jose Alvarez Alvarez'),
    key('Josealvarez'),
    key('Jose Alvarez', '1980-02-28'),
    key('Jose Alvarez', null),
    key('Jose Alvarado'),
  ]
  expect(new Set(keys).size).toBe(keys.length)
})

test('is null without a name', () => {
  expect([key(null), key(''), key(' - ')]).toEqual([null, null, null])
})

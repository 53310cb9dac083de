import { describe, expect, test } from '@jest/globals'
import { namesOf, parsePublication } from '../../../test/fixtures/parse.ts'
import { conListCsv, oldConListCsv, ukCsv, ukXml } from '../../../test/fixtures/uk.ts'

// Every entry is fictitious and follows the published layouts.
describe('UK Sanctions List', () => {
  test('XML: puts the family name last, maps name types, and recognises weak aliases and other scripts', async () => {
    const { report, get } = await parsePublication(ukXml)
    expect(report).toMatchObject({
      list: 'uk_sanctions',
      publishedAt: '2026-01-20T00:00:00Z',
      entriesRead: 2,
    })
    const person = get('AFG9006')
    expect(namesOf(person)).toEqual([
      'primary:VELMOOR ASHKAN TARSIDIAN',
      'alias:Velmour Tarsidyan',
      'alias:ولمور اشکان',
      'weak_alias:Velm',
    ])
    expect(person.names[0]?.parts).toEqual({ first: 'VELMOOR', middle: 'ASHKAN', last: 'TARSIDIAN' })
    expect(person.dates_of_birth).toEqual([
      { kind: 'year', year: 1945, circa: false },
      { kind: 'day', date: '1958-03-01', circa: false },
    ])
    expect(person).toMatchObject({ nationalities: ['AFG'], listed_on: '2001-01-25', remarks: 'Invented.' })
    expect(person.identifiers).toEqual([{ type: 'passport', value: 'P0458', country: 'AFG' }])
    expect(get('DPR9075')).toMatchObject({
      type: 'vessel',
      identifiers: [{ type: 'imo', value: '9123458', country: null }],
    })
  })

  test('CSV: groups the rows of one designation', async () => {
    const { format, report, entities, get } = await parsePublication(ukCsv)
    expect(format).toBe('uk_csv')
    expect(report).toMatchObject({ publishedAt: '2026-01-20T00:00:00Z', entriesRead: 2 })
    expect(entities).toHaveLength(2)
    expect(namesOf(get('AFG9006'))).toEqual(['primary:VELMOOR TARSIDIAN', 'weak_alias:Velm'])
    expect(get('AFG9006').dates_of_birth).toHaveLength(2)
    expect(get('RUS9001').type).toBe('vessel')
  })
})

describe('OFSI consolidated list', () => {
  test('groups rows in any order and uses the UK Sanctions List reference as id', async () => {
    const { format, report, get } = await parsePublication(conListCsv)
    expect(format).toBe('uk_conlist_csv')
    expect(report).toMatchObject({
      list: 'uk_sanctions',
      publishedAt: '2025-04-14T00:00:00Z',
      entriesRead: 2,
    })
    const person = get('LIB9001')
    expect(namesOf(person)).toEqual(['primary:Velmoor Ashkan TARSIDIAN', 'alias:ولمور', 'weak_alias:Velm'])
    expect(person.nationalities).toEqual(['LBY', 'GBR'])
    expect(person.identifiers).toEqual([
      { type: 'passport', value: '22361', country: 'LBY' },
      { type: 'passport', value: 'C0014', country: 'GBR' },
    ])
    expect(get('DPR9100')).toMatchObject({
      type: 'vessel',
      identifiers: [{ type: 'imo', value: '9123458', country: null }],
    })
  })

  test('parses the older layout in its encoding, including demonyms', async () => {
    const { report, get } = await parsePublication(oldConListCsv)
    expect(report.publishedAt).toBe('2020-04-27T00:00:00Z')
    expect(namesOf(get('13349'))).toEqual(['primary:Velmoor TARSIDIÉN'])
    expect(get('13349')).toMatchObject({
      nationalities: ['SAU', 'QAT'],
      dates_of_birth: [{ kind: 'year', year: 1980, circa: false }],
      identifiers: [{ type: 'passport', value: '592667', country: null }],
    })
    expect(get('13349').places).toContainEqual({
      kind: 'address',
      text: 'Afghanistan (since 2009)',
      country: 'AFG',
    })
    expect(get('13556').type).toBe('vessel')
  })
})

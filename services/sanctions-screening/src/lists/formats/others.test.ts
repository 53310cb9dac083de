import { describe, expect, test } from '@jest/globals'
import { chXml } from '../../../test/fixtures/europe.ts'
import { auXlsx, caXml } from '../../../test/fixtures/others.ts'
import { namesOf, parsePublication } from '../../../test/fixtures/parse.ts'

// Every entry is fictitious and follows the published layouts.
describe('Swiss list (SECO)', () => {
  test('orders name parts, drops titles, combines spelling variants, ignores embedded previous states', async () => {
    const { report, get } = await parsePublication(chXml)
    expect(report).toMatchObject({ list: 'ch_seco', publishedAt: '2026-01-20T00:00:00Z' })
    expect(namesOf(get('91001'))).toEqual([
      'primary:Velmoor Ashkan Tarsidian',
      'alias:Velmoor Ashkan Тарсидян',
      'weak_alias:Velm',
    ])
    expect(get('91001')).toMatchObject({
      dates_of_birth: [{ kind: 'year', year: 1980, circa: false }],
      nationalities: ['IRN'],
      places: [{ kind: 'birth', text: 'Ostravka, Iran', country: 'IRN' }],
      identifiers: [{ type: 'passport', value: 'X1234567', country: 'IRN' }],
      programs: ['Invented'],
      listed_on: '2016-03-01',
    })
  })

  test('omits targets whose latest modification delists them', async () => {
    const { report, entities } = await parsePublication(chXml)
    expect(entities.map(({ id, type }) => [id, type])).toEqual([
      ['91001', 'person'],
      ['91003', 'vessel'],
    ])
    expect([...report.dropped]).toEqual([['de_listed', 1]])
  })
})

describe('Canadian list', () => {
  test('identifies an entry by regime, schedule and item, splits aliases and removes their language labels', async () => {
    const { report, get } = await parsePublication(caXml)
    expect(report).toMatchObject({ list: 'ca_sema', publishedAt: '2025-02-21T00:00:00Z' })
    const person = get('Belarus / 1, Part 1 / 1')
    expect(namesOf(person)).toEqual([
      'primary:Velmoor Ashkan Tarsidian',
      'alias:Velmur Tarsidyan',
      'alias:Вэлмур Тарсідзян',
      'alias:Велмур Тарсидян',
    ])
    expect(person.dates_of_birth).toEqual([
      { kind: 'day', date: '1972-04-03', circa: false },
      { kind: 'year', year: 1973, circa: false },
    ])
  })

  test('leaves commas in company names and recognises ships', async () => {
    const { get } = await parsePublication(caXml)
    expect(namesOf(get('Russia / 1 / 2'))).toEqual([
      'primary:Quorvex Co., Ltd.',
      'alias:Quorvex Trading Co., Ltd.',
      'alias:QVX',
    ])
    expect(get('Russia / 1.1 / 1')).toMatchObject({
      type: 'vessel',
      dates_of_birth: [],
      identifiers: [{ type: 'imo', value: '9123458', country: null }],
    })
  })
})

describe('Australian list', () => {
  test('groups the rows of one reference', async () => {
    const { format, report, entities, get } = await parsePublication(auXlsx())
    expect(format).toBe('au_xlsx')
    expect(report).toMatchObject({ list: 'au_dfat', publishedAt: '2024-01-12T00:00:00Z' })
    expect(entities.map(({ id, type }) => [id, type])).toEqual([
      ['2', 'person'],
      ['3', 'organization'],
    ])
    expect(namesOf(get('2'))).toEqual(['primary:Velmoor Ashkan Tarsidian', 'alias:ولمور'])
    expect(get('2')).toMatchObject({ nationalities: ['LBY'], listed_on: '2000-04-12' })
  })

  test('parses dates that are serial numbers, text, approximate or several', async () => {
    const { get } = await parsePublication(auXlsx())
    expect(get('2').dates_of_birth).toEqual([
      { kind: 'range', from: '1955-01-01', to: '1958-12-31', circa: true },
      { kind: 'day', date: '1961-03-03', circa: false },
      { kind: 'day', date: '1962-04-14', circa: false },
    ])
  })
})

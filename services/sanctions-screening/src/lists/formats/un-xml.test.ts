import { describe, expect, test } from '@jest/globals'
import { namesOf, parsePublication } from '../../../test/fixtures/parse.ts'
import { unXml } from '../../../test/fixtures/un.ts'

// Every entry is fictitious and follows the United Nations' published schema.
describe('UN consolidated list', () => {
  test('joins the four name fields, splits aliases in one field, reorders `Family, Given`, detects the original script', async () => {
    const { report, get } = await parsePublication(unXml)
    expect(report).toMatchObject({ list: 'un_sc', publishedAt: '2026-02-27T00:00:09Z', entriesRead: 2 })
    expect(namesOf(get('QDi.9001'))).toEqual([
      'primary:VELMOOR ASHKAN TARSIDIAN',
      'alias:ولمور أشكان',
      'alias:Velmur Tarsidyan',
      'alias:Velmor Tarsidian',
      'alias:Velmo Tarsid',
      'weak_alias:Velm',
    ])
    expect(get('QDi.9001').names[1]?.script).toBe('Arab')
  })

  test('parses exact, approximate and range dates of birth', async () => {
    const { get } = await parsePublication(unXml)
    expect(get('QDi.9001').dates_of_birth).toEqual([
      { kind: 'day', date: '1971-03-04', circa: false },
      { kind: 'year', year: 1968, circa: true },
      { kind: 'range', from: '1973-01-01', to: '1974-12-31', circa: false },
    ])
  })

  test('returns nationalities as alpha-3 codes and omits former states', async () => {
    const { get } = await parsePublication(unXml)
    const person = get('QDi.9001')
    expect(person.nationalities).toEqual(['IRN'])
    expect(person.identifiers).toEqual([{ type: 'passport', value: 'OB 024', country: 'COD' }])
    expect(person.places).toEqual([{ kind: 'address', text: 'Ostravka, Rwanda', country: 'RWA' }])
    expect(person).toMatchObject({ listed_on: '2012-12-31', programs: ['Al-Qaida'] })
  })

  test('splits two names of an entity in one field', async () => {
    const { get } = await parsePublication(unXml)
    expect(namesOf(get('KPe.901'))).toEqual([
      'primary:QUORVEX LINES (QXL)',
      'alias:GREAT QUORVEX COMPANY',
      'alias:Quorvex',
    ])
  })
})

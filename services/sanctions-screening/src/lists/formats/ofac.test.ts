import { describe, expect, test } from '@jest/globals'
import {
  addCsv,
  altCsv,
  commentsCsv,
  manySdnCsv,
  sdnAdvancedXml,
  sdnCsv,
  sdnXml,
} from '../../../test/fixtures/ofac.ts'
import { namesOf, parsePublication } from '../../../test/fixtures/parse.ts'

// Every entry is fictitious and follows OFAC's published formats.
describe('OFAC CSV', () => {
  test('joins names, aliases, addresses and comments of one publication by number', async () => {
    const { format, report, entities, get } = await parsePublication(sdnCsv, altCsv, addCsv, commentsCsv)
    expect(format).toBe('ofac_csv')
    expect(report).toMatchObject({ list: 'us_ofac_sdn', entriesRead: 5, publishedAt: null })
    expect(entities).toHaveLength(5)
    expect(namesOf(get('70001'))).toEqual([
      'primary:Velmoor Ashkan TARSIDIAN',
      'alias:Velmour TARSIDYAN',
      'alias:Velmoor ASHKANI',
      'weak_alias:VELM',
    ])
    expect(get('70001').places).toContainEqual({
      kind: 'address',
      text: '12 Amber Way, Ostravka, Iran',
      country: 'IRN',
    })
  })

  test('extracts birth dates, places, nationalities and identifiers from the remarks', async () => {
    const { get } = await parsePublication(sdnCsv)
    const person = get('70001')
    expect(person.names[0]?.parts).toEqual({ first: 'Velmoor Ashkan', last: 'TARSIDIAN' })
    expect(person.dates_of_birth).toEqual([
      { kind: 'day', date: '1950-06-05', circa: false },
      { kind: 'year', year: 1952, circa: true },
    ])
    expect(person.nationalities).toEqual(['IRN', 'PRK', 'SYR'])
    expect(person.places).toContainEqual({ kind: 'birth', text: 'Ostravka, Iran', country: 'IRN' })
    expect(person.identifiers).toEqual([
      { type: 'passport', value: 'X1234567', country: 'IRN' },
      { type: 'national_id', value: '998877', country: 'IRN' },
    ])
    expect(person.programs).toEqual(['SDGT', 'IFSR'])
    expect(get('70005').dates_of_birth).toEqual([
      { kind: 'range', from: '1951-01-01', to: '1953-12-31', circa: false },
    ])
  })

  test('joins remarks that continue in the comments file in mid-word', async () => {
    const { get } = await parsePublication(sdnCsv, commentsCsv)
    expect(namesOf(get('70005'))).toContain('weak_alias:PRILLIE')
    expect(get('70005').identifiers).toContainEqual({ type: 'registration', value: '4711', country: 'CUB' })
  })

  test('recognises vessels and aircraft, with their identifiers', async () => {
    const { get } = await parsePublication(sdnCsv, altCsv)
    expect(get('70003')).toMatchObject({ type: 'vessel', nationalities: [], dates_of_birth: [] })
    expect(get('70003').identifiers).toEqual(
      expect.arrayContaining([
        { type: 'imo', value: '9123458', country: null },
        { type: 'mmsi', value: '352001234', country: null },
        { type: 'call_sign', value: 'T3XY9', country: null },
      ]),
    )
    expect(get('70004').type).toBe('aircraft')
  })

  test('leaves the name of an organisation unchanged, including commas', async () => {
    const { get } = await parsePublication(sdnCsv)
    expect(namesOf(get('70002'))).toEqual(['primary:QUORVEX HOLDINGS, LTD.', 'weak_alias:QVX'])
    expect(get('70002').identifiers).toContainEqual({ type: 'swift_bic', value: 'QUORCUHH', country: null })
  })

  test('recognises the consolidated list by its non-SDN programmes', async () => {
    const consolidated = manySdnCsv(80).replaceAll('"SDGT"', '"UKRAINE-EO13662] [RUSSIA-EO14024"')
    const { report, entities } = await parsePublication(consolidated)
    expect(report.list).toBe('us_ofac_cons')
    expect(entities.every((entity) => entity.list === 'us_ofac_cons')).toBe(true)
  })
})

describe('OFAC XML', () => {
  test('parses persons with name parts, alias quality, dates and documents', async () => {
    const { format, report, get } = await parsePublication(sdnXml)
    expect(format).toBe('ofac_xml')
    expect(report).toMatchObject({
      list: 'us_ofac_sdn',
      declaredCount: 2,
      entriesRead: 2,
      publishedAt: '2026-02-03T00:00:00Z',
    })
    const person = get('70001')
    expect(namesOf(person)).toEqual([
      'primary:Velmoor Ashkan TARSIDIAN',
      'alias:Velmour TARSIDYAN',
      'weak_alias:VELM',
    ])
    expect(person.dates_of_birth).toEqual([
      { kind: 'day', date: '1950-06-05', circa: false },
      { kind: 'range', from: '1976-01-01', to: '1978-12-31', circa: false },
    ])
    expect(person.nationalities).toEqual(['IRN', 'PRK'])
    expect(person.identifiers).toEqual([{ type: 'passport', value: 'X1234567', country: 'IRN' }])
    expect(person.source_url).toContain('70001')
  })

  test('parses vessels with IMO number and call sign', async () => {
    const { get } = await parsePublication(sdnXml)
    expect(get('70003')).toMatchObject({ type: 'vessel' })
    expect(get('70003').identifiers.map(({ type, value }) => `${type}:${value}`)).toEqual([
      'imo:9123458',
      'call_sign:T3XY9',
    ])
  })

  test('parses the former namespace identically', async () => {
    const former = sdnXml.replace(/xmlns="[^"]*"/, 'xmlns="http://tempuri.org/sdnList.xsd"')
    expect((await parsePublication(former)).entities).toEqual((await parsePublication(sdnXml)).entities)
  })
})

describe('OFAC advanced XML', () => {
  test('joins value sets, locations, documents and entries by their ids', async () => {
    const { format, report, get } = await parsePublication(sdnAdvancedXml)
    expect(format).toBe('ofac_advanced_xml')
    expect(report).toMatchObject({ list: 'us_ofac_sdn', publishedAt: '2026-02-03T00:00:00Z', entriesRead: 2 })
    const person = get('70001')
    expect(person).toMatchObject({
      type: 'person',
      listed_on: '2011-05-09',
      programs: ['SDGT'],
      nationalities: ['IRN'],
    })
    expect(person.identifiers).toEqual([{ type: 'passport', value: 'X1234567', country: 'IRN' }])
    expect(person.places).toEqual([
      { kind: 'birth', text: 'Brindleport, Cuba', country: 'CUB' },
      { kind: 'address', text: 'Ostravka, Iran', country: 'IRN' },
    ])
    expect(get('70002')).toMatchObject({ type: 'organization', programs: ['CUBA'] })
  })

  test('puts the primary name first even when an alias precedes it, and detects the original script', async () => {
    const { get } = await parsePublication(sdnAdvancedXml)
    expect(get('70001').names).toEqual([
      {
        full: 'Velmoor Ashkan TARSIDIAN',
        quality: 'primary',
        parts: { first: 'Velmoor Ashkan', last: 'TARSIDIAN' },
      },
      {
        full: 'Велмур Тарсидян',
        quality: 'alias',
        parts: { first: 'Велмур', last: 'Тарсидян' },
        script: 'Cyrl',
      },
      { full: 'VELM', quality: 'weak_alias' },
    ])
  })

  test('distinguishes a year, a month and an approximate day', async () => {
    const { get } = await parsePublication(sdnAdvancedXml)
    expect(get('70001').dates_of_birth).toEqual([
      { kind: 'year', year: 1961, circa: false },
      { kind: 'day', date: '1975-04-13', circa: true },
      { kind: 'month', month: '1968-02', circa: false },
    ])
  })
})

import { describe, expect, test } from '@jest/globals'
import { euCsv, euXml } from '../../../test/fixtures/europe.ts'
import { namesOf, parsePublication } from '../../../test/fixtures/parse.ts'
import { euSourceUrl } from './eu-entity.ts'

// Every entry is fictitious and follows the European Union's published schema (FSF 1.1).
describe('EU FSF XML 1.1', () => {
  test('uses the reference number as id, or the logical id without one', async () => {
    const { report, entities } = await parsePublication(euXml)
    expect(report).toMatchObject({ list: 'eu_fsf', publishedAt: '2026-01-15T13:39:54Z' })
    expect(entities.map(({ id, type }) => [id, type])).toEqual([
      ['EU.9001.11', 'person'],
      ['9002', 'organization'],
    ])
  })

  test('chooses a Latin name as primary and detects a weak alias by its remark', async () => {
    const { get } = await parsePublication(euXml)
    expect(namesOf(get('EU.9001.11'))).toEqual([
      'primary:Velmoor Ashkan Tarsidian',
      'alias:Велмур Тарсидян',
      'weak_alias:Velm',
    ])
    expect(get('EU.9001.11').names[0]?.parts).toEqual({
      first: 'Velmoor',
      middle: 'Ashkan',
      last: 'Tarsidian',
    })
  })

  test('parses exact, approximate and half-open dates, and ignores other calendars', async () => {
    const { get } = await parsePublication(euXml)
    expect(get('EU.9001.11').dates_of_birth).toEqual([
      { kind: 'day', date: '1965-12-12', circa: false },
      { kind: 'range', from: '1953-01-01', to: '1958-12-31', circa: true },
      { kind: 'range', from: null, to: '1980-12-31', circa: false },
    ])
  })

  test('omits unknown countries and documents known to be false', async () => {
    const { get } = await parsePublication(euXml)
    expect(get('EU.9001.11').nationalities).toEqual(['DZA'])
    expect(get('EU.9001.11').identifiers).toEqual([{ type: 'passport', value: 'AD001', country: 'DZA' }])
    expect(get('EU.9001.11')).toMatchObject({
      listed_on: '2008-07-03',
      programs: ['TAQA'],
      source_url: 'https://eur-lex.europa.eu/invented',
    })
    expect(get('9002').places).toEqual([
      { kind: 'address', text: '12 Amber Way, Havana, CUBA', country: 'CUB' },
    ])
  })
})

/** Both publications, with `url` as the page of every entry. */
const withUrl = (url: string) => [
  euXml.replaceAll('https://eur-lex.europa.eu/invented', url),
  // The dates give way to a column that the example does not have.
  euCsv
    .replace('Entity_DesignationDate', 'Entity_Regulation_PublicationUrl')
    .replaceAll('2008-07-03', url)
    .replace('EU.9002.12;;', `EU.9002.12;${url};`),
]
const urlsIn = async (publication: string) =>
  (await parsePublication(publication)).entities.map(({ source_url }) => source_url)

test('entries of either format link to the page that the publication names', async () => {
  const url = 'https://eur-lex.europa.eu/eli/reg_impl/2026/1/oj'
  for (const publication of withUrl(url)) expect(await urlsIn(publication)).toEqual([url, url])
})

test.each([
  'javascript:alert(document.domain)//https://eur-lex.europa.eu',
  'data:text/html,x',
  'https://eur-lex.europa.eu@evil.example/',
  '//evil.example/',
])('an entry of either format never links to %s', async (url) => {
  for (const publication of withUrl(url))
    expect(await urlsIn(publication)).toEqual([euSourceUrl, euSourceUrl])
})

describe('EU FSF CSV 1.1', () => {
  test('groups the rows of one entity, reads the swapped type fields, and accepts an unpaired quote', async () => {
    const { format, report, entities, get } = await parsePublication(euCsv)
    expect(format).toBe('eu_csv')
    expect(report).toMatchObject({ list: 'eu_fsf', publishedAt: '2026-01-15T00:00:00Z', entriesRead: 2 })
    expect(entities.map(({ type }) => type)).toEqual(['person', 'organization'])
    expect(get('EU.9001.11')).toMatchObject({
      nationalities: ['DZA'],
      dates_of_birth: [{ kind: 'day', date: '1965-12-12', circa: false }],
      identifiers: [{ type: 'passport', value: 'AD001', country: null }],
    })
    expect(namesOf(get('EU.9001.11'))).toEqual(['primary:Velmoor Ashkan Tarsidian', 'weak_alias:Velm'])
    expect(namesOf(get('EU.9002.12'))).toEqual(['primary:Quorvex "Lines'])
  })
})

import { describe, expect, test } from '@jest/globals'
import { type TestEntity, testList } from '../../../test/fixtures/test-list.ts'
import { buildIndex, type Match, type ScreeningOptions, type ScreeningQuery, screen } from './index.ts'

const persons: TestEntity[] = [
  {
    names: [
      {
        full: 'Arkady Borisovich ROTENFELD',
        parts: { first: 'Arkady Borisovich', last: 'ROTENFELD' },
        quality: 'primary',
      },
      'Аркадий Ротенфельд',
    ],
    dates_of_birth: [{ kind: 'year', year: 1951, circa: false }],
    nationalities: ['RUS'],
  },
  { names: ['ABD AL-RAHMAN MUSTAFA AL-KASHIF', 'عبد الرحمن مصطفى الكاشف'] },
  { names: ['KIM Jong Hyok', '김정혁'] },
  { names: ['XI Guoping', '习国平'] },
  { names: ['Yahya AL-HAJJ'] },
  { names: ['Lucas Alberto MONTEVIDE SANTORO', { full: 'El Tigre', quality: 'weak_alias' }] },
  { names: ['Muhammad Ali HASSAN'] },
  { names: ['Nikolai Platonovich PATRUNIN'] },
]
const objects: TestEntity[] = [
  { names: ['Zarvan General Trading L.L.C.'], type: 'organization' },
  { names: ['Zarvan Petrochemical Joint Stock Company'], type: 'organization' },
  { names: ['NORDIC HORIZON 3'], type: 'vessel' },
]
const index = buildIndex([testList(persons), testList(objects, 'organization', 'us_ofac_sdn')])

function find(query: string | ScreeningQuery, options: Partial<ScreeningOptions> = {}): Match[] {
  const request = typeof query === 'string' ? { full_name: query } : query
  return screen(index, request, { floor: 0.8, limit: 10, ...options })
}
const top = (query: string) => find(query)[0]?.name

describe('screen finds', () => {
  test.each([
    ['rotenfeld, ARKADY borisovich', 'order and case'],
    ['Arkadiy Rotenfeld', 'a spelling variant without the patronymic'],
    ['Аркадий Борисович Ротенфельд', 'Cyrillic'],
    ['Arkady B. Rotenfeld', 'an initial'],
    ['Arkady Rotenfedl', 'a typing error'],
    ['Arkády Rötenfeld', 'diacritics'],
    ['ArkadyRotenfeld', 'a missing space'],
    ['Mr. Arkady Borisovich Rotenfeld', 'a title'],
  ])('%s (%s)', (query) => {
    expect(top(query)).toBe('Arkady Borisovich ROTENFELD')
  })

  test.each(['Abdulrahman Moustapha Elkashif', 'عبدالرحمن مصطفي الكاشف', 'Abdur Rehman Mustafa Kashif'])(
    '%s (Arabic compounds, articles and script)',
    (query) => {
      expect(top(query)).toBe('ABD AL-RAHMAN MUSTAFA AL-KASHIF')
    },
  )

  test('Korean and Chinese names in either order and script, and in another spelling', () => {
    expect(top('Jong-hyok Kim')).toBe('KIM Jong Hyok')
    expect(top('Gim Jeong-hyeok')).toBe('KIM Jong Hyok')
    expect(top('김정혁')).toBe('KIM Jong Hyok')
    expect(top('习国平')).toBe('XI Guoping')
  })

  test('a family name that is also a title', () => {
    expect(top('Yahya Al-Hajj')).toBe('Yahya AL-HAJJ')
  })

  test('a name split by a space', () => {
    expect(top('Nikolai Patr unin')).toBe('Nikolai Platonovich PATRUNIN')
  })

  test('organisations without their legal form, and vessels', () => {
    expect(find('Zarvan Trading')[0]).toMatchObject({
      name: 'Zarvan General Trading L.L.C.',
      entity_type: 'organization',
    })
    expect(find('Zarvan Petrochemical JSC')[0]?.name).toBe('Zarvan Petrochemical Joint Stock Company')
    expect(find('Nordic Horizon 3')[0]).toMatchObject({ entity_type: 'vessel', score: 1 })
  })
})

describe('screen does not find', () => {
  test.each([
    ['Kim Jong Nam', 'another syllable'],
    ['Boris Rotenfeld', 'another given name'],
    ['Arkady Sergeevich Lavrin', 'another family name'],
    ['Lucas Alberto', 'common given names alone'],
    ['Muhammad Ali', 'two common names'],
    ['Rotenfeld', 'a family name alone'],
    ['General Trading LLC', 'generic words alone'],
    ['', 'nothing'],
    ['-- ..', 'no letters'],
  ])('%s (%s)', (query) => {
    expect(
      find(query).filter(({ name }) => name !== 'Muhammad Ali HASSAN' || query !== 'Muhammad Ali'),
    ).toEqual([])
  })
})

describe('screen ranks and explains', () => {
  test('an exact name scores 1, a variant less', () => {
    expect(find('Arkady Borisovich Rotenfeld')[0]?.score).toBe(1)
    expect(find('Arkadij Borisowitsch Rotenfeld')[0]?.score).toBeLessThan(1)
  })

  test('an extra word in the query costs more than an extra word in the listed name', () => {
    const more = find('Nikolai Platonovich Zubin Patrunin', { floor: 0 })[0]
    const fewer = find('Nikolai Patrunin', { floor: 0 })[0]
    expect(more?.explanation.unmatched_query).toEqual(['zubin'])
    expect(fewer?.explanation.unmatched_listed).toEqual(['platonovich'])
    expect(more?.score).toBeLessThan(fewer?.score ?? 0)
  })

  test('a date of birth adds 0.05 or subtracts 0.10, and the floor applies to the name score', () => {
    const full_name = 'Arkady Rotenfeld'
    const plain = find(full_name)[0]
    const same = find({ full_name, date_of_birth: '1951-12-15' })[0]
    const other = find({ full_name, date_of_birth: '1980' }, { floor: plain?.name_score ?? 1 })[0]
    expect(plain?.date_of_birth_match).toBeNull()
    expect(same?.score).toBe(Math.min(1, Number(((plain?.score ?? 0) + 0.05).toFixed(4))))
    expect(other).toMatchObject({ date_of_birth_match: false, name_score: plain?.name_score })
    expect(other?.score).toBeCloseTo((plain?.score ?? 0) - 0.1, 6)
  })

  test('a score never exceeds 1, and the explanation states the clamping', () => {
    const match = find({ full_name: 'Arkady Borisovich Rotenfeld', date_of_birth: '1951' })[0]
    expect(match?.score).toBe(1)
    expect(match?.explanation.adjustments).toContainEqual({ code: 'clamp', delta: -0.05 })
  })

  test('nationality_match is present only when both sides give a nationality', () => {
    expect(find({ full_name: 'Arkady Rotenfeld', nationality: 'RUS' })[0]?.nationality_match).toBe(true)
    expect(find({ full_name: 'Arkady Rotenfeld', nationality: 'FRA' })[0]?.nationality_match).toBe(false)
    expect(find({ full_name: 'Yahya Al-Hajj', nationality: 'FRA' })[0]).not.toHaveProperty(
      'nationality_match',
    )
    expect(find('Arkady Rotenfeld')[0]).not.toHaveProperty('nationality_match')
  })

  test('a weak alias matches, but ranks below other names', () => {
    const match = find('El Tigre')[0]
    expect(match).toMatchObject({ matched_name: 'El Tigre', matched_name_type: 'weak_alias', score: 0.95 })
    expect(match?.explanation.adjustments).toContainEqual({ code: 'weak_alias', delta: -0.05 })
  })

  test('lists, entity type, floor and limit restrict the answer', () => {
    expect(find('Zarvan Trading', { lists: ['un_sc'] })).toEqual([])
    expect(find({ full_name: 'Zarvan Trading', entity_type: 'person' })).toEqual([])
    expect(find({ full_name: 'Nordic Horizon 3', entity_type: 'organization' })).toEqual([])
    expect(find('Zarvan', { floor: 0, limit: 1 })).toHaveLength(1)
    expect(find('Arkady Rotenfeld', { floor: 0.999 })).toEqual([])
  })

  test('a match quotes its list entry and has an id that is stable across list versions', () => {
    const match = find('Arkady Rotenfeld')[0]
    expect(match).toMatchObject({
      list: 'un_sc',
      list_version: '2026-01-01.test',
      entity_id: '1',
      dates_of_birth: ['1951'],
      nationalities: ['RUS'],
    })
    const rebuilt = buildIndex([{ ...testList(persons), version: '2027-01-01.test' }])
    const later = screen(rebuilt, { full_name: 'Arkady Rotenfeld' }, { floor: 0.8, limit: 1 })[0]
    expect(later?.match_id).toBe(match?.match_id)
    expect(later?.list_version).toBe('2027-01-01.test')
  })
})

import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { testList } from '../../../test/fixtures/test-list.ts'
import { buildIndex, type Match, screen } from './index.ts'

const given = [
  'Muhammad',
  'Ali',
  'Sergey',
  'José',
  'Anna',
  'Abdulrahman',
  'Volodymyr',
  'Min-ho',
  'Fatima',
  'Jean',
  'Xiaoming',
  'Nur',
]
const middle = ['', 'Ivanovich', 'bin Salim', 'Maria', 'K.', 'Abd al-Aziz', 'Luis', 'Hussein', 'de la']
const family = [
  'al-Zarqani',
  'Petrenko',
  'Gómez',
  'Kim',
  'Haddad',
  'Okonkwo',
  'Weiß',
  'Tsvetkov',
  'Nguyen',
  'Qureshi',
  'Vukić',
  'Bakr',
]

/** Every third combination is listed, so that names share parts with each other, as in real lists. */
const names = given.flatMap((first, i) =>
  family.flatMap((last, j) => {
    const between = middle[(i * 7 + j * 5) % middle.length] ?? ''
    return (i + j) % 3 === 0 ? [[first, between, last].filter((part) => part !== '').join(' ')] : []
  }),
)
const organisations = [
  'Zarvan General Trading LLC',
  'Ocean Star Shipping Co. Ltd.',
  'Bank Parsan',
  'Open Joint Stock Company Zavod Plamya',
  'Al-Nur Charity',
]
const index = buildIndex([testList(names), testList(organisations, 'organization', 'us_ofac_sdn')])
const everything = { floor: 0, limit: 1000 }

function scores(full_name: string, date_of_birth?: string): Map<string, number> {
  return new Map(
    screen(index, { full_name, date_of_birth }, everything).map((match) => [match.match_id, match.score]),
  )
}

const listed = fc.constantFrom(...names, ...organisations)
/** A listed name with a letter changed or with words of another listed name added. */
const queries = fc
  .tuple(
    listed,
    listed,
    fc.integer({ min: 0, max: 3 }),
    fc.integer({ min: 0, max: 40 }),
    fc.constantFrom(...'aeknst'),
  )
  .map(([name, other, mixed, i, letter]) => {
    const words = [...name.split(' '), ...other.split(' ').slice(0, mixed)]
    const text = words.join(' ')
    return i < text.length && text[i] !== ' ' ? text.slice(0, i) + letter + text.slice(i + 1) : text
  })
const runs = { numRuns: 30 }

function shuffled(words: readonly string[], order: readonly number[]): string[] {
  return words
    .map((word, i) => ({ word, key: order[i % order.length] ?? 0, at: i }))
    .sort((a, b) => a.key - b.key || b.at - a.at)
    .map(({ word }) => word)
}

describe('for any query', () => {
  test('word order never changes a score', () => {
    fc.assert(
      fc.property(queries, fc.array(fc.nat(), { minLength: 6, maxLength: 6 }), (query, order) => {
        expect(scores(shuffled(query.split(' '), order).join(' '))).toEqual(scores(query))
      }),
      runs,
    )
  })

  test('case never changes a score', () => {
    fc.assert(
      fc.property(queries, (query) => {
        const plain = scores(query)
        expect(scores(query.toUpperCase())).toEqual(plain)
        expect(scores(query.toLowerCase())).toEqual(plain)
      }),
      runs,
    )
  })

  test('diacritics never change a score', () => {
    const marks = fc.array(fc.constantFrom('', '', '\u0301', '\u0308', '\u030c', '\u0327'), {
      minLength: 8,
      maxLength: 8,
    })
    fc.assert(
      fc.property(queries, marks, (query, added) => {
        const marked = [...query]
          .map((letter, i) => (/[a-z]/i.test(letter) ? letter + (added[i % 8] ?? '') : letter))
          .join('')
        const plain = scores(query)
        expect(scores(marked)).toEqual(plain)
        expect(scores(marked.normalize('NFC'))).toEqual(plain)
      }),
      runs,
    )
  })

  test('the amount and kind of whitespace never change a score', () => {
    const blanks = fc.array(fc.constantFrom(' ', '  ', '\t', '\u00a0', ' \n ', '\u3000'), {
      minLength: 6,
      maxLength: 6,
    })
    fc.assert(
      fc.property(queries, blanks, (query, kinds) => {
        const spaced = query
          .split(' ')
          .map((word, i) => (kinds[i % 6] ?? ' ') + word)
          .join('')
        expect(scores(`${spaced} `)).toEqual(scores(query))
      }),
      runs,
    )
  })

  test('a name part that is not listed never raises a score', () => {
    const wrong = fc.constantFrom('Qwxtzuk', 'Bvrjmolf', 'Wzxkwyqg')
    fc.assert(
      fc.property(queries, wrong, fc.nat(), (query, added, place) => {
        const words = query.split(' ')
        const i = place % (words.length + 1)
        const before = scores(query)
        for (const [id, score] of scores([...words.slice(0, i), added, ...words.slice(i)].join(' '))) {
          expect(score).toBeLessThanOrEqual(before.get(id) ?? 0)
        }
      }),
      runs,
    )
  })

  test('the explanation adds up to the score, which is between 0 and 1', () => {
    const dates = fc.constantFrom(undefined, '1970', '1970-02-01')
    fc.assert(
      fc.property(queries, dates, (query, date) => {
        for (const match of screen(index, { full_name: query, date_of_birth: date }, everything)) {
          expect(sumOfParts(match)).toBeCloseTo(match.score, 5)
          expect(match.score).toBeGreaterThanOrEqual(0)
          expect(match.score).toBeLessThanOrEqual(1)
        }
      }),
      runs,
    )
  })

  test('the top ten equal the first ten of all matches, and the floor excludes only lower scores', () => {
    fc.assert(
      fc.property(queries, fc.constantFrom(0.3, 0.6, 0.8), (query, floor) => {
        const all = screen(index, { full_name: query }, everything)
        const best = screen(index, { full_name: query }, { floor, limit: 10 })
        expect(best).toEqual(all.filter((match) => match.name_score >= floor).slice(0, 10))
      }),
      runs,
    )
  })

  test('any text gets an answer', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 60 }), (text) => {
        expect(Array.isArray(screen(index, { full_name: text }, { floor: 0.8, limit: 10 }))).toBe(true)
      }),
      { numRuns: 200 },
    )
  })
})

test('every listed primary name matches itself first, with score 1', () => {
  for (const name of [...names, ...organisations]) {
    const [first] = screen(index, { full_name: name }, { floor: 0.8, limit: 10 })
    expect(first).toMatchObject({ name, score: 1, name_score: 1 })
  }
})

function sumOfParts({ explanation }: Match): number {
  const { tokens, adjustments } = explanation
  const mean = tokens.reduce((sum, { similarity }) => sum + similarity, 0) / Math.max(1, tokens.length)
  return adjustments.reduce((sum, { delta }) => sum + delta, mean)
}

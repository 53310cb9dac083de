import { describe, expect, test } from '@jest/globals'
import { listedWords } from './listed-words.ts'
import { personTokens } from './person-tokens.ts'
import { wordSimilarity } from './similarity.ts'
import { phoneticKeyOf, spellingOf } from './spelling.ts'
import { type Word, wordOf } from './word.ts'

function word(text: string, frequency = 0): Word {
  const [token] = personTokens(text)
  if (token === undefined) throw new Error(`${text} has no token`)
  return wordOf(token, 'person', frequency)
}
const compare = (query: Word, listed: Word) => wordSimilarity(query, listedWords([listed]), 0, 'person')
const similarity = (a: string, b: string) => compare(word(a), word(b))

describe('wordSimilarity', () => {
  test.each([
    ['Mohamed', 'Muhammad'],
    ['Youssef', 'Yusuf'],
    ['Alekseyevich', 'Alekseevich'],
    ['Gaddafi', 'Qadhafi'],
    ['Gonzales', 'Gonzalez'],
    ['Shamalov', 'Schamalow'],
  ])('%s and %s are transliterations of one name', (a, b) => {
    expect(similarity(a, b)).toBeGreaterThanOrEqual(0.9)
    expect(similarity(a, b)).toBeLessThan(1)
  })

  test.each([
    ['Arambunezhad', 'Armbunezhad'],
    ['Chaijamroon', 'Chiajamroon'],
    ['Fedorovich', 'Fedooovich'],
    ['Scholz', 'Schloz'],
  ])('%s and %s differ by a typing error', (a, b) => {
    expect(similarity(a, b)).toBeGreaterThanOrEqual(0.65)
    expect(similarity(a, b)).toBeLessThan(1)
  })

  test.each([
    ['Hassan', 'Hussein'],
    ['Hamid', 'Ahmad'],
    ['Viktorovich', 'Borisovich'],
    ['Lavrov', 'Navros'],
    ['Kim', 'Kam'],
  ])('%s and %s are two names', (a, b) => {
    expect(similarity(a, b)).toBe(0)
  })

  test('two common family names are not typing errors of each other', () => {
    expect(compare(word('Tavarov', 40), word('Tagarov', 40))).toBe(0)
    expect(compare(word('Tavarov', 0), word('Tagarov', 40))).toBeGreaterThan(0)
  })

  test('the feminine form of a family name is similar but not equal', () => {
    expect(similarity('Petrova', 'Petrov')).toBeCloseTo(0.92)
  })

  test('Arabic without short vowels is similar to its romanisation', () => {
    expect(similarity('محمد', 'Muhammad')).toBeGreaterThanOrEqual(0.9)
    expect(similarity('كاشف', 'Kashif')).toBeGreaterThanOrEqual(0.85)
  })

  test('Hangul must match exactly, its romanisations are variants', () => {
    expect(similarity('정', '종')).toBe(0)
    expect(similarity('정', 'Jong')).toBeGreaterThan(0.9)
  })

  test('is symmetric', () => {
    for (const [a, b] of [
      ['Moulad', 'Mourad'],
      ['Petrova', 'Petrov'],
      ['Qasmnai', 'Qasmani'],
    ] as const) {
      expect(similarity(a, b)).toBe(similarity(b, a))
    }
  })
})

describe('spelling', () => {
  test('unifies transliteration choices', () => {
    expect(spellingOf('sergeevich')).toBe(spellingOf('sergeyevich'))
    expect(spellingOf('yuriy')).toBe(spellingOf('iurii'))
    expect(spellingOf('abdulla')).toBe(spellingOf('abdullah'))
  })

  test('the phonetic key consists of at least two consonants', () => {
    expect(phoneticKeyOf(spellingOf('gaddafi'))).toBe(phoneticKeyOf(spellingOf('kadhafi')))
    expect(phoneticKeyOf(spellingOf('ali'))).toBe('')
  })
})

import { expect, test } from '@jest/globals'
import fc from 'fast-check'
import { nameWords, wordGroups } from './name-words.ts'

test('finds a name by its words in any order, case and accent', () => {
  const words = nameWords('José María O’Brien-García')
  expect(words).toEqual(['JOSE', 'MARIA', 'OBRIEN', 'GARCIA'])
  expect(nameWords('garcia, JOSÉ')).toEqual(['GARCIA', 'JOSE'])
})

test('finds a word in its printed form and in its MRZ form', () => {
  expect(wordGroups('Müller')).toEqual([['MULLER', 'MUELLER']])
  const indexed = nameWords('MUELLER ERIKA')
  expect(wordGroups('Müller').every((forms) => forms.some((form) => indexed.includes(form)))).toBe(true)
})

test('finds every indexed text by the same text', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 60 }), (name) => {
      const indexed = new Set(nameWords(name))
      for (const forms of wordGroups(name)) expect(forms.some((form) => indexed.has(form))).toBe(true)
    }),
  )
})

test('keeps the letters of other scripts', () => {
  expect(nameWords('Анна Петрова')).toEqual(['АННА', 'ПЕТРОВА'])
})

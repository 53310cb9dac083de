import { describe, expect, test } from '@jest/globals'
import { ar } from './ar.ts'
import type { Catalogue, MessageKey } from './catalogue.ts'
import { de } from './de.ts'
import { en } from './en.ts'
import { es } from './es.ts'
import { fr } from './fr.ts'
import { hi } from './hi.ts'
import { allLanguages, chooseLanguage, type Language, offeredLanguages } from './locales.ts'
import { pt } from './pt.ts'
import { createTranslate } from './translate.ts'

const catalogues: Record<Language, Catalogue> = { en, hi, es, fr, de, pt, ar }
const keys = Object.keys(en) as MessageKey[]
const textsOf = (message: string | Record<string, string>) =>
  typeof message === 'string' ? [message] : Object.values(message)
const placeholders = (text: string) => [...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => name).sort()

describe.each(allLanguages)('the catalogue %s', (language) => {
  const catalogue = catalogues[language]

  test('has exactly the keys of English', () => {
    expect(Object.keys(catalogue).sort()).toEqual([...keys].sort())
  })

  test('has no empty and no untranslated texts', () => {
    const left = keys.filter((key) => {
      const texts = textsOf(catalogue[key])
      if (texts.some((text) => text.trim() === '')) return true
      return language !== 'en' && typeof en[key] === 'string' && en[key].length > 14 && texts[0] === en[key]
    })
    expect(left).toEqual([])
  })

  test('uses the same placeholders as English in every text', () => {
    const different = keys.filter((key) => {
      const wanted = new Set(textsOf(en[key]).flatMap(placeholders))
      // A plural form may omit its number, as Arabic does for one and two.
      const optional = typeof en[key] === 'string' ? new Set<string>() : new Set(['count'])
      return textsOf(catalogue[key]).some((text) => {
        const found = new Set(placeholders(text))
        const extra = [...found].some((name) => !wanted.has(name))
        const missing = [...wanted].some((name) => !found.has(name) && !optional.has(name ?? ''))
        return extra || missing
      })
    })
    expect(different).toEqual([])
  })

  test('has every plural category of its language and no other', () => {
    const categories = new Intl.PluralRules(language).resolvedOptions().pluralCategories.sort()
    for (const key of keys) {
      const message = catalogue[key]
      if (typeof message !== 'string')
        expect({ key, categories: Object.keys(message).sort() }).toEqual({ key, categories })
    }
  })
})

describe('a text', () => {
  test('uses the plural form for its count', () => {
    const english = createTranslate('en', en)
    expect(english('tries_left', { count: 1 })).toBe('1 try left.')
    expect(english('tries_left', { count: 2 })).toBe('2 tries left.')
    const arabic = createTranslate('ar', ar)
    expect(new Set([0, 1, 2, 3, 11, 100].map((count) => arabic('tries_left', { count }))).size).toBe(6)
  })

  test('shows numbers in Latin digits in every language', () => {
    for (const language of allLanguages) {
      expect(createTranslate(language, catalogues[language])('upload_percent', { percent: 40 })).toContain(
        '40',
      )
    }
  })
})

describe('the language', () => {
  test("is the reader's first language that the workflow offers", () => {
    const offered = offeredLanguages(['de', 'ar', 'xx'])
    expect(offered).toEqual(['de', 'ar'])
    expect(chooseLanguage(offered, ['fr-FR', 'ar-EG', 'de'])).toBe('ar')
    expect(chooseLanguage(offered, ['ja'])).toBe('de')
  })

  test('is English if the workflow names no supported language', () => {
    expect(offeredLanguages(['ja'])).toEqual(['en'])
  })
})

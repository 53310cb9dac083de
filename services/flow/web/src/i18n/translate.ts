import type { Catalogue, MessageKey } from './catalogue.ts'
import type { Language } from './locales.ts'

export type Values = Record<string, string | number>
export type Translate = (key: MessageKey, values?: Values) => string

/**
 * Translates texts of one language and fills in `{placeholders}`. Numbers use Latin digits, as codes and documents do.
 * The value `count` selects the plural form.
 */
export function createTranslate(language: Language, catalogue: Catalogue): Translate {
  const locale = `${language}-u-nu-latn`
  const rules = new Intl.PluralRules(locale)
  const numbers = new Intl.NumberFormat(locale)
  return (key, values = {}) => {
    const message = catalogue[key]
    const text =
      typeof message === 'string'
        ? message
        : (message[rules.select(Number(values.count ?? 0))] ?? message.other)
    return text.replace(/\{(\w+)\}/g, (whole, name: string) => {
      const value = values[name]
      if (value === undefined) return whole
      return typeof value === 'number' ? numbers.format(value) : value
    })
  }
}

import type { en } from './en.ts'

/** One text per plural category of the language, selected by `{count}`. */
export type Plural = { other: string } & Partial<Record<Intl.LDMLPluralRule, string>>
export type MessageKey = keyof typeof en

/** The same keys as English, with plurals where English has them. A missing key is a compile error. */
export type Catalogue = {
  [K in MessageKey]: (typeof en)[K] extends string ? string : Plural
}

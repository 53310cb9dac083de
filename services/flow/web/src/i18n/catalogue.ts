import type { en } from './en.ts'

/** A text per plural category of its language; `{count}` decides. */
export type Plural = { other: string } & Partial<Record<Intl.LDMLPluralRule, string>>
export type MessageKey = keyof typeof en

/** The same keys as English, and a plural where English has one. A missing key does not compile. */
export type Catalogue = {
  [K in MessageKey]: (typeof en)[K] extends string ? string : Plural
}

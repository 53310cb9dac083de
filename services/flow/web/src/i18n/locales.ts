import type { FlowLanguage } from '@kyc/common'
import type { Catalogue } from './catalogue.ts'
import { en } from './en.ts'

/** Languages with their native names. Each catalogue is loaded on demand; English is bundled as the fallback. */
export const languages = {
  en: { name: 'English', load: () => Promise.resolve(en) },
  hi: { name: 'हिन्दी', load: () => import('./hi.ts').then(({ hi }) => hi) },
  es: { name: 'Español', load: () => import('./es.ts').then(({ es }) => es) },
  fr: { name: 'Français', load: () => import('./fr.ts').then(({ fr }) => fr) },
  de: { name: 'Deutsch', load: () => import('./de.ts').then(({ de }) => de) },
  pt: { name: 'Português', load: () => import('./pt.ts').then(({ pt }) => pt) },
  ar: { name: 'العربية', load: () => import('./ar.ts').then(({ ar }) => ar) },
} satisfies Record<FlowLanguage, { name: string; load: () => Promise<Catalogue> }>

export type Language = keyof typeof languages
export const allLanguages = Object.keys(languages) as Language[]

const base = (tag: string) => tag.toLowerCase().split('-')[0] ?? ''

/** Supported languages that a workflow allows, in its order; English if it names no supported one. */
export function offeredLanguages(locales: readonly string[]): Language[] {
  const known = locales.map(base).filter((tag): tag is Language => Object.hasOwn(languages, tag))
  return known.length > 0 ? [...new Set(known)] : ['en']
}

/** The reader's first language that is offered, else the first offered. */
export function chooseLanguage(offered: readonly Language[], wanted: readonly string[]): Language {
  for (const tag of wanted) {
    const found = offered.find((language) => language === base(tag))
    if (found) return found
  }
  return offered[0] ?? 'en'
}

export const directionOf = (language: Language): 'ltr' | 'rtl' => (language === 'ar' ? 'rtl' : 'ltr')

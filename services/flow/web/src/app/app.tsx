import type { FlowState } from '@kyc/common'
import { ApiError } from '@kyc/web-kit'
import { useCallback, useEffect, useMemo, useReducer, useState } from 'preact/hooks'
import type { FlowApi } from '../api/flow-api.ts'
import type { Catalogue } from '../i18n/catalogue.ts'
import { chooseLanguage, directionOf, type Language, languages, offeredLanguages } from '../i18n/locales.ts'
import { createTranslate } from '../i18n/translate.ts'
import { useAnnouncer } from './announcer.tsx'
import { usableAccent } from './branding.ts'
import { AppContext, type App as AppValue } from './context.ts'
import { Page } from './page.tsx'
import { Shell } from './shell.tsx'
import { initialState, type LinkState, reduce, viewOf } from './view.ts'

type Speech = { language: Language; catalogue: Catalogue }

/** `first` is the state, requested before the first render. */
export function App(props: {
  link: LinkState
  api: FlowApi
  speech: Speech
  first: Promise<FlowState> | null
}) {
  const { api, first } = props
  const [state, dispatch] = useReducer(reduce, initialState(props.link))
  const [speech, setSpeech] = useState(props.speech)
  const { announce, regions } = useAnnouncer()
  const { flow } = state

  const take = useCallback(async (asked: Promise<FlowState>) => {
    try {
      const next = await asked
      dispatch({ type: 'loaded', flow: next })
      return next
    } catch (error) {
      if (error instanceof ApiError && error.status === 404) dispatch({ type: 'link_lost' })
      else if (error instanceof ApiError && error.status === 429)
        dispatch({ type: 'load_failed', reason: 'rate_limited' })
      else dispatch({ type: 'load_failed', reason: 'network' })
      return null
    }
  }, [])
  const refresh = useCallback(() => take(api.state()), [api, take])

  const speak = useCallback(
    async (language: Language, chosen: boolean) => {
      const catalogue = await languages[language].load()
      setSpeech({ language, catalogue })
      // The language stored with the session is also used for its e-mails.
      if (chosen && flow?.status === 'in_progress') {
        const next = await api.start({ locale: language })
        dispatch({ type: 'loaded', flow: next })
      }
    },
    [api, flow?.status],
  )

  useEffect(() => {
    if (first) void take(first)
  }, [first, take])

  // The first state lists the workflow's languages and, once the session is started, the chosen one.
  const offered = useMemo(
    () => (flow ? offeredLanguages(flow.locales) : (Object.keys(languages) as Language[])),
    [flow],
  )
  const known = flow !== null
  const kept = flow?.status === 'not_started' ? null : flow?.locale
  useEffect(() => {
    if (!known) return
    const wanted = kept ? [kept] : navigator.languages
    const language = chooseLanguage(offered, wanted)
    // If the catalogue fails to load, the language stays unchanged.
    speak(language, false).catch(() => {})
    // Only when the state first arrives; afterwards the person chooses.
  }, [known])

  useEffect(() => {
    document.documentElement.lang = speech.language
    document.documentElement.dir = directionOf(speech.language)
  }, [speech.language])
  useAccent(flow?.app.accent ?? null)

  const value = useMemo<AppValue>(() => {
    const t = createTranslate(speech.language, speech.catalogue)
    const appName = flow?.app.name || t('verify_identity')
    return { api, t, language: speech.language, appName, flow, dispatch, refresh, announce }
  }, [api, speech, flow, refresh, announce])

  return (
    <AppContext.Provider value={value}>
      <Shell offered={offered} onLanguage={(language) => void speak(language, true).catch(() => {})}>
        <Page view={viewOf(state)} skipped={state.skipped} />
      </Shell>
      {regions}
    </AppContext.Provider>
  )
}

/** Sets the client's colour through the style object, because the content security policy forbids inline styles. */
function useAccent(colour: string | null): void {
  useEffect(() => {
    const dark = matchMedia('(prefers-color-scheme: dark)')
    const apply = () => {
      const used = usableAccent(colour, dark.matches ? 'dark' : 'light')
      const { style } = document.documentElement
      for (const [name, value] of [
        ['--accent', used?.accent],
        ['--accent-hover', used?.accent],
        ['--on-accent', used?.onAccent],
      ] as const) {
        if (value) style.setProperty(name, value)
        else style.removeProperty(name)
      }
    }
    apply()
    dark.addEventListener('change', apply)
    return () => dark.removeEventListener('change', apply)
  }, [colour])
}

import { render } from 'preact'
import { createFlowApi } from './api/flow-api.ts'
import { App } from './app/app.tsx'
import type { LinkState } from './app/view.ts'
import { en } from './i18n/en.ts'
import { allLanguages, chooseLanguage, languages } from './i18n/locales.ts'

const link = (document.querySelector<HTMLMetaElement>('meta[name="kyc-link"]')?.content ??
  'session') as LinkState
const api = createFlowApi(decodeURIComponent(location.pathname.split('/')[2] ?? ''))

async function start(root: HTMLElement): Promise<void> {
  // Request the state immediately, in parallel with the language.
  const first = link === 'session' ? api.state() : null
  // The page reports the failure; this handler only avoids an unhandled rejection.
  first?.catch(() => {})
  const wanted = chooseLanguage(allLanguages, navigator.languages)
  const speech = await languages[wanted].load().then(
    (catalogue) => ({ language: wanted, catalogue }),
    () => ({ language: 'en' as const, catalogue: en }),
  )
  root.replaceChildren()
  render(<App link={link} api={api} speech={speech} first={first} />, root)
}

const root = document.getElementById('app')
if (root) void start(root)

import type { FlowState } from '@kyc/common'
import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import type { FlowApi } from '../api/flow-api.ts'
import type { Language } from '../i18n/locales.ts'
import type { Translate } from '../i18n/translate.ts'
import type { AppAction } from './view.ts'

/** What every page works with. */
export type App = {
  api: FlowApi
  t: Translate
  language: Language
  /** Name of the client who asked; a neutral word until it is known. */
  appName: string
  /** Null before the first state arrived. */
  flow: FlowState | null
  dispatch: (action: AppAction) => void
  /** Fetches the state anew; the page follows. */
  refresh: () => Promise<FlowState | null>
  /** Says something to who listens instead of looking. */
  announce: (text: string, urgency?: 'polite' | 'assertive') => void
}

export const AppContext = createContext<App | null>(null)

export function useApp(): App {
  const app = useContext(AppContext)
  if (!app) throw new Error('a page outside the app')
  return app
}

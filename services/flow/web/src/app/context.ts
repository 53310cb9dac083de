import type { FlowState } from '@kyc/common'
import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import type { FlowApi } from '../api/flow-api.ts'
import type { Language } from '../i18n/locales.ts'
import type { Translate } from '../i18n/translate.ts'
import type { AppAction } from './view.ts'

/** The context of every page. */
export type App = {
  api: FlowApi
  t: Translate
  language: Language
  /** Name of the client's app; a neutral word until it is known. */
  appName: string
  /** Null until the first state arrives. */
  flow: FlowState | null
  dispatch: (action: AppAction) => void
  /** Fetches the current state and updates the page. */
  refresh: () => Promise<FlowState | null>
  /** Announces a text to screen readers. */
  announce: (text: string, urgency?: 'polite' | 'assertive') => void
}

export const AppContext = createContext<App | null>(null)

export function useApp(): App {
  const app = useContext(AppContext)
  if (!app) throw new Error('a page outside the app')
  return app
}

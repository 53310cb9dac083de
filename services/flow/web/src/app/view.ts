import type { FlowState, FlowStep } from '@kyc/common'

/** The state of the link for this device, as embedded in the page by the server. */
export type LinkState =
  | 'session'
  | 'handoff'
  | 'handoff_expired'
  | 'handoff_used'
  | 'unknown'
  /** The navigation was rejected with 429, so the state of the link is not known yet. */
  | 'rate_limited'

/** State local to this page; everything else is the server's state, so that any device can resume. */
export type AppState = {
  link: LinkState
  flow: FlowState | null
  /** Why the first load failed. */
  loadError: 'network' | 'rate_limited' | null
  /** Optional steps that the person skipped. */
  skipped: readonly FlowStep[]
  /** Consent was refused on this page. */
  refused: boolean
  /** The hand-off page is open. */
  handingOff: boolean
}

export type AppAction =
  | { type: 'loaded'; flow: FlowState }
  | { type: 'load_failed'; reason: 'network' | 'rate_limited' }
  | { type: 'link_lost' }
  | { type: 'skipped'; step: FlowStep }
  | { type: 'refused' }
  | { type: 'handoff_opened' }
  | { type: 'handoff_closed' }

export const initialState = (link: LinkState): AppState => ({
  link: link === 'rate_limited' ? 'session' : link,
  flow: null,
  loadError: link === 'rate_limited' ? 'rate_limited' : null,
  skipped: [],
  refused: false,
  handingOff: false,
})

export function reduce(state: AppState, action: AppAction): AppState {
  switch (action.type) {
    case 'loaded':
      return { ...state, link: 'session', flow: action.flow, loadError: null }
    case 'load_failed':
      return state.flow ? state : { ...state, loadError: action.reason }
    case 'link_lost':
      return { ...state, link: state.link === 'handoff' ? 'handoff_used' : 'unknown', flow: null }
    case 'skipped':
      return { ...state, skipped: [...state.skipped, action.step] }
    case 'refused':
      return { ...state, refused: true }
    case 'handoff_opened':
      return { ...state, handingOff: true }
    case 'handoff_closed':
      return { ...state, handingOff: false }
  }
}

export type View =
  | { kind: 'link'; link: 'unknown' | 'expired' | 'handoff_expired' | 'handoff_used' }
  | { kind: 'handoff_code' }
  | { kind: 'load_error'; reason: 'network' | 'rate_limited' }
  | { kind: 'loading' }
  | { kind: 'welcome' | 'handoff' | 'submit' | 'processing' }
  | { kind: 'step'; step: FlowStep }
  | { kind: 'result'; result: 'approved' | 'in_review' | 'declined' | 'refused' }

/** The first step that needs input, without the optional steps skipped on this page. */
export function openStep(flow: FlowState, skipped: readonly FlowStep[]): FlowStep | null {
  const open = flow.steps.find(
    ({ key, status }) => (status === 'pending' || status === 'retry') && !skipped.includes(key),
  )
  return open?.key ?? null
}

/** The one page to show. */
export function viewOf(state: AppState): View {
  const { link, flow } = state
  if (link === 'unknown' || link === 'handoff_expired' || link === 'handoff_used')
    return { kind: 'link', link }
  if (link === 'handoff') return { kind: 'handoff_code' }
  if (!flow) return state.loadError ? { kind: 'load_error', reason: state.loadError } : { kind: 'loading' }
  switch (flow.status) {
    case 'expired':
    case 'abandoned':
      return { kind: 'link', link: 'expired' }
    case 'processing':
      return { kind: 'processing' }
    case 'approved':
    case 'in_review':
      return { kind: 'result', result: flow.status }
    case 'declined':
      return { kind: 'result', result: state.refused ? 'refused' : 'declined' }
    case 'not_started':
      return { kind: state.handingOff ? 'handoff' : 'welcome' }
    case 'in_progress': {
      if (state.handingOff) return { kind: 'handoff' }
      const step = openStep(flow, state.skipped)
      return step ? { kind: 'step', step } : { kind: 'submit' }
    }
  }
}

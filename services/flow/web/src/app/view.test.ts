import { describe, expect, test } from '@jest/globals'
import { type FlowState, sessionStatus } from '@kyc/common'
import { type AppAction, initialState, reduce, viewOf } from './view.ts'

const step = (key: FlowState['steps'][number]['key'], status: FlowState['steps'][number]['status']) => ({
  key,
  status,
  required: key !== 'email',
  attempts_used: 0,
  attempts_max: null,
  options: {},
})
const flow = (change: Partial<FlowState> = {}): FlowState => ({
  status: 'in_progress',
  app: { name: 'Example', logo_url: null, accent: null },
  locale: 'en',
  locales: ['en'],
  expires_at: '2030-01-01T00:00:00Z',
  steps: [step('consent', 'completed'), step('email', 'pending'), step('document', 'pending')],
  current_step: 'email',
  can_submit: false,
  handoff: { enabled: true, device: 'none' },
  return_url: null,
  ...change,
})
const after = (...actions: AppAction[]) => actions.reduce(reduce, initialState('session'))

describe('the page to show', () => {
  test('is the step that the server reports as open, so that any device can resume', () => {
    expect(viewOf(after({ type: 'loaded', flow: flow() }))).toEqual({ kind: 'step', step: 'email' })
  })

  test('is the next step after a skipped optional step', () => {
    const state = after({ type: 'loaded', flow: flow() }, { type: 'skipped', step: 'email' })
    expect(viewOf(state)).toEqual({ kind: 'step', step: 'document' })
  })

  test('offers a retry after a rate-limited navigation, and is the flow once it loads', () => {
    const limited = initialState('rate_limited')
    expect(viewOf(limited)).toEqual({ kind: 'load_error', reason: 'rate_limited' })
    expect(viewOf(reduce(limited, { type: 'loaded', flow: flow() }))).toEqual({ kind: 'step', step: 'email' })
    expect(viewOf(reduce(limited, { type: 'link_lost' }))).toEqual({ kind: 'link', link: 'unknown' })
  })

  test('is a dedicated page for each link state', () => {
    for (const link of ['unknown', 'handoff_expired', 'handoff_used'] as const)
      expect(viewOf(initialState(link))).toEqual({ kind: 'link', link })
    expect(viewOf(initialState('handoff'))).toEqual({ kind: 'handoff_code' })
  })

  test('exists for every status of a session', () => {
    const kinds = sessionStatus.options.map((status) =>
      viewOf(after({ type: 'loaded', flow: flow({ status }) })),
    )
    expect(kinds.map(({ kind }) => kind)).toEqual(
      expect.arrayContaining(['welcome', 'step', 'processing', 'result', 'link']),
    )
    expect(kinds.every((view) => view !== undefined)).toBe(true)
  })

  test('reports refused consent only if it was refused on this page', () => {
    const declined = { type: 'loaded', flow: flow({ status: 'declined' }) } as const
    expect(viewOf(after({ type: 'refused' }, declined))).toEqual({ kind: 'result', result: 'refused' })
    expect(viewOf(after(declined))).toEqual({ kind: 'result', result: 'declined' })
  })

  test('keeps the loaded state after a failed refresh', () => {
    const state = after({ type: 'loaded', flow: flow() }, { type: 'load_failed', reason: 'network' })
    expect(viewOf(state)).toEqual({ kind: 'step', step: 'email' })
  })

  test('leaves the hand-off when the phone has finished', () => {
    const state = after(
      { type: 'loaded', flow: flow() },
      { type: 'handoff_opened' },
      { type: 'loaded', flow: flow({ status: 'processing' }) },
    )
    expect(viewOf(state)).toEqual({ kind: 'processing' })
  })
})

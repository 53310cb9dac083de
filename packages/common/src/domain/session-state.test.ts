import { expect, test } from '@jest/globals'
import { finalStatuses, isAllowed, sessionStatuses, transitions } from './session-state.ts'

test('no transition leaves a status that is over', () => {
  for (const over of ['declined', 'expired', 'abandoned'] as const) {
    expect(transitions.filter((row) => row.from === over)).toEqual([])
  }
})

test('only the engine, a reviewer or monitoring reaches a final status, and refusing consent', () => {
  const triggers = new Set(
    transitions.filter((row) => finalStatuses.includes(row.to)).map((row) => row.trigger),
  )
  expect(triggers).toEqual(new Set(['decided', 'reviewed', 'consent_refused', 'monitoring_match']))
})

test('processing is left by a decision alone, but for what the purge ledger knows: neither a purge nor the clock takes it', () => {
  expect(new Set(transitions.filter((row) => row.from === 'processing').map((row) => row.trigger))).toEqual(
    new Set(['decided', 'ledger_replayed']),
  )
})

test('what the table does not name is refused', () => {
  for (const from of sessionStatuses) {
    for (const to of sessionStatuses) {
      const named = transitions.some((row) => row.from === from && row.to === to && row.trigger === 'decided')
      expect(isAllowed(from, 'decided', to)).toBe(named)
    }
  }
})

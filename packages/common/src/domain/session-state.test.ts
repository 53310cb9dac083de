import { expect, test } from '@jest/globals'
import { finalStatuses, isAllowed, sessionStatuses, transitions } from './session-state.ts'

test('no transition leaves a terminal status', () => {
  for (const over of ['declined', 'expired', 'abandoned'] as const) {
    expect(transitions.filter((row) => row.from === over)).toEqual([])
  }
})

test('only the engine, a reviewer, monitoring or refused consent leads to a final status', () => {
  const triggers = new Set(
    transitions.filter((row) => finalStatuses.includes(row.to)).map((row) => row.trigger),
  )
  expect(triggers).toEqual(new Set(['decided', 'reviewed', 'consent_refused', 'monitoring_match']))
})

test('only a decision or a replay of the purge ledger leaves processing: neither a purge nor a timeout does', () => {
  expect(new Set(transitions.filter((row) => row.from === 'processing').map((row) => row.trigger))).toEqual(
    new Set(['decided', 'ledger_replayed']),
  )
})

test('rejects every transition that the table does not list', () => {
  for (const from of sessionStatuses) {
    for (const to of sessionStatuses) {
      const named = transitions.some((row) => row.from === from && row.to === to && row.trigger === 'decided')
      expect(isAllowed(from, 'decided', to)).toBe(named)
    }
  }
})

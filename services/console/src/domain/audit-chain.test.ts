import { expect, test } from '@jest/globals'
import fc from 'fast-check'
import { type AuditEntry, chainStart, firstBreak, hashEntry } from './audit-chain.ts'

function chain(length: number): AuditEntry[] {
  const entries: AuditEntry[] = []
  for (let seq = 1; seq <= length; seq++) {
    const entry = {
      seq,
      id: `entry-${seq}`,
      app_id: 'app_1',
      at: '2026-03-01T12:00:00Z',
      actor: { type: 'system' as const, id: null },
      action: 'session.purged',
      target: `ses_${seq}`,
      ip: seq % 2 === 0 ? '198.51.100.7' : null,
      details: { n: seq },
      prev_hash: entries.at(-1)?.hash ?? chainStart,
    }
    entries.push({ ...entry, hash: hashEntry(entry) })
  }
  return entries
}

test('finds no break in an unmodified chain', () => {
  expect(firstBreak(chain(20))).toBeNull()
  expect(firstBreak([])).toBeNull()
})

test('reports the seq of an entry in which any field was changed', () => {
  const change = fc.constantFrom<(entry: AuditEntry) => AuditEntry>(
    (entry) => ({ ...entry, action: 'session.reviewed' }),
    (entry) => ({ ...entry, target: 'ses_x' }),
    (entry) => ({ ...entry, at: '2026-03-01T12:00:01Z' }),
    (entry) => ({ ...entry, details: { n: -1 } }),
    (entry) => ({ ...entry, ip: entry.ip === null ? '192.0.2.1' : null }),
    (entry) => ({ ...entry, app_id: null }),
    (entry) => ({ ...entry, hash: 'f'.repeat(64) }),
  )
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 19 }), change, (index, alter) => {
      const entries = chain(20)
      entries[index] = alter(entries[index] as AuditEntry)
      expect(firstBreak(entries)).toBe(index + 1)
    }),
  )
})

test('reports the seq of a removed entry', () => {
  expect(firstBreak(chain(10).filter((entry) => entry.seq !== 4))).toBe(4)
})

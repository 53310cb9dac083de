import { createHash } from 'node:crypto'

/** One entry of the audit log. Ids and codes only. */
export type AuditEntry = {
  seq: number
  id: string
  app_id: string
  at: string
  actor: { type: 'user' | 'api_key' | 'system' | 'end_user'; id: string | null }
  action: string
  target: string
  details: Record<string, string | number | boolean | null>
  prev_hash: string
  hash: string
}

/** What the first entry follows. */
export const chainStart = '0'.repeat(64)

/** JSON with its keys in order at every level, so that equal entries have equal bytes. */
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`
  if (typeof value === 'object' && value !== null) {
    const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
    return `{${entries.map(([key, item]) => `${JSON.stringify(key)}:${canonical(item)}`).join(',')}}`
  }
  return JSON.stringify(value)
}

/** SHA-256, hex, over the entry before it and everything this one says. */
export const hashEntry = (entry: Omit<AuditEntry, 'hash'>): string =>
  createHash('sha256').update(canonical(entry)).digest('hex')

/** Where the chain first breaks; null when it is whole. Entries come in the order of `seq`, from the first. */
export function firstBreak(entries: Iterable<AuditEntry>): number | null {
  let expected = { seq: 1, prev_hash: chainStart }
  for (const { hash, ...entry } of entries) {
    if (entry.seq !== expected.seq || entry.prev_hash !== expected.prev_hash || hashEntry(entry) !== hash) {
      return Math.min(entry.seq, expected.seq)
    }
    expected = { seq: entry.seq + 1, prev_hash: hash }
  }
  return null
}

import { createHash } from 'node:crypto'

/** One entry of the audit log. Ids and codes only. */
export type AuditEntry = {
  seq: number
  id: string
  /** Null: of the installation, not of an app. */
  app_id: string | null
  at: string
  actor: { type: 'user' | 'api_key' | 'system' | 'end_user'; id: string | null }
  action: string
  target: string
  /** Of console users only. */
  ip: string | null
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
export function hashEntry({ ip, ...entry }: Omit<AuditEntry, 'hash'>): string {
  // An address that there is not is not hashed: entries from before the column stay what they were.
  const said = ip === null ? entry : { ...entry, ip }
  return createHash('sha256').update(canonical(said)).digest('hex')
}

/** Recomputes the chain entry by entry, from the first or after one that is known to be right. */
export function createChainVerifier(known = { seq: 0, hash: chainStart }) {
  let next = { seq: known.seq + 1, prev_hash: known.hash }
  let broken: number | null = null
  return {
    /** The `seq` at which the chain breaks, once it does: the entry that differs, or the one that is missing. */
    add({ hash, ...entry }: AuditEntry): number | null {
      if (broken !== null) return broken
      if (entry.seq !== next.seq || entry.prev_hash !== next.prev_hash || hashEntry(entry) !== hash) {
        broken = Math.min(entry.seq, next.seq)
      }
      next = { seq: entry.seq + 1, prev_hash: hash }
      return broken
    },
  }
}

/** Where the chain first breaks; null when it is whole. Entries come in the order of `seq`, from the first. */
export function firstBreak(entries: Iterable<AuditEntry>): number | null {
  const verifier = createChainVerifier()
  for (const entry of entries) {
    const broken = verifier.add(entry)
    if (broken !== null) return broken
  }
  return null
}

import { createHash } from 'node:crypto'

/** One entry of the audit log. Ids and codes only. */
export type AuditEntry = {
  seq: number
  id: string
  /** Null for entries that concern the installation and not an app. */
  app_id: string | null
  at: string
  actor: { type: 'user' | 'api_key' | 'system' | 'end_user'; id: string | null }
  action: string
  target: string
  /** Set for console users only. */
  ip: string | null
  details: Record<string, string | number | boolean | null>
  prev_hash: string
  hash: string
}

/** The previous hash of the first entry. */
export const chainStart = '0'.repeat(64)

/** JSON with sorted keys at every level, so that equal entries have equal bytes. */
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`
  if (typeof value === 'object' && value !== null) {
    const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
    return `{${entries.map(([key, item]) => `${JSON.stringify(key)}:${canonical(item)}`).join(',')}}`
  }
  return JSON.stringify(value)
}

/** SHA-256 (hex) over this entry, including the hash of the previous one. */
export function hashEntry({ ip, ...entry }: Omit<AuditEntry, 'hash'>): string {
  // A null address is left out, so that hashes of entries from before the column existed stay valid.
  const said = ip === null ? entry : { ...entry, ip }
  return createHash('sha256').update(canonical(said)).digest('hex')
}

/** Recomputes the chain entry by entry, from the first entry or after a verified one. */
export function createChainVerifier(known = { seq: 0, hash: chainStart }) {
  let next = { seq: known.seq + 1, prev_hash: known.hash }
  let broken: number | null = null
  return {
    /** The `seq` of the first break: the entry that differs or is missing. Null until then. */
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

/** The `seq` of the first break, or null. Entries must be passed in the order of `seq`, from the first. */
export function firstBreak(entries: Iterable<AuditEntry>): number | null {
  const verifier = createChainVerifier()
  for (const entry of entries) {
    const broken = verifier.add(entry)
    if (broken !== null) return broken
  }
  return null
}

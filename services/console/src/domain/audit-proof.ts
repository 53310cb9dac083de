import type {
  AuditProblem,
  AuditVerification,
  HeadSource,
  SignedAuditHead,
  SignedAuditLoss,
} from '@kyc/common'
import { type AuditEntry, createChainVerifier } from './audit-chain.ts'
import type { HeadSigner } from './audit-head.ts'
import { statementOf } from './audit-statement.ts'

/**
 * A head and its source. `head` is null if the stored bytes are not a valid head. `generation`: how many losses had been
 * accepted when the vault stored it.
 */
export type KnownHead = { source: HeadSource; seq: number; head: SignedAuditHead | null; generation?: number }

/** The n-th loss that an operator accepted. `loss` is null if the stored bytes are not a valid loss. */
export type KnownLoss = { number: number; loss: SignedAuditLoss | null }

/** If several heads cover one entry, report the vault's, because an operator can look it up. */
const rank: Record<HeadSource, number> = { database: 0, export: 1, vault: 2 }

/**
 * Compares the log with every known head. A head in the same database as the log proves nothing, because an attacker who
 * deletes entries can delete it too; it only shows which heads the vault should have.
 */
export function createAuditVerifier(
  known: readonly KnownHead[],
  accepted: readonly KnownLoss[],
  signer: HeadSigner,
) {
  const losses = accepted.flatMap(({ number, loss }) =>
    loss && !signer.problemOf(loss) ? [{ number, ...loss.payload }] : [],
  )
  const { heads, problems } = judge(known, losses, signer)
  const wanted = new Set(heads.map(({ seq }) => seq))
  const stored = new Map<number, string>()
  const chain = createChainVerifier()
  let entries = 0
  let last = 0
  let broken: number | null = null

  return {
    /** Call for every entry, in ascending order of `seq`. */
    add(entry: AuditEntry): void {
      broken = chain.add(entry)
      if (wanted.has(entry.seq)) stored.set(entry.seq, entry.hash)
      last = Math.max(last, entry.seq)
      entries++
    },

    result(): AuditVerification {
      const chainedTo = broken === null ? last : Math.max(0, broken - 1)
      const fits = (head: ValidHead) => head.seq <= chainedTo && stored.get(head.seq) === head.hash
      const found = [...problems]
      if (broken !== null) found.push({ ...nothing, code: 'entry_altered', from_seq: broken, to_seq: broken })
      const cut = heads.findLast(({ seq }) => seq > last)
      if (cut)
        found.push({
          ...nothing,
          code: 'entries_missing',
          from_seq: last + 1,
          to_seq: cut.seq,
          head: referTo(cut),
        })
      const replaced = heads.filter(({ seq, hash }) => seq <= last && stored.get(seq) !== hash)
      const [first, newest] = [replaced[0], replaced.at(-1)]
      if (first && newest) {
        const before = heads.findLast((head) => head.seq < first.seq && fits(head))?.seq ?? 0
        const range = { from_seq: before + 1, to_seq: newest.seq }
        found.push({ ...nothing, code: 'entries_replaced', ...range, head: referTo(newest) })
      }
      const inVault = heads.findLast(({ source }) => source === 'vault')?.seq ?? 0
      const ahead = heads.findLast(({ source, seq }) => source !== 'vault' && seq > inVault)
      if (ahead)
        found.push({
          ...nothing,
          code: 'vault_behind',
          from_seq: inVault + 1,
          to_seq: ahead.seq,
          head: referTo(ahead),
        })

      const proof = heads.findLast((head) => head.source !== 'database' && fits(head))
      const proven_to = proof?.seq ?? 0
      const outcome = {
        verdict: found.length > 0 ? ('broken' as const) : proof ? ('proven' as const) : ('unproven' as const),
        entries,
        chained_to: chainedTo,
        proven_to,
        proven_by: proof ? referTo(proof) : null,
        first_broken_seq: firstBroken(found),
        problems: found,
        losses: losses.map(({ from_seq, to_seq, signed_at }) => ({ from_seq, to_seq, signed_at })),
        heads: heads.length,
      }
      return { ...outcome, statement: statementOf(outcome) }
    },
  }
}

type Loss = SignedAuditLoss['payload'] & { number: number }
type ValidHead = { source: HeadSource; seq: number; hash: string; signed_at: string }

const nothing = { head: null, detail: null } as const
const referTo = ({ source, seq, signed_at }: ValidHead) => ({ source, seq, signed_at })

/** Heads with a valid signature in the order of `seq`, and a problem for each of the others. */
function judge(known: readonly KnownHead[], losses: readonly Loss[], signer: HeadSigner) {
  const heads: ValidHead[] = []
  const problems: AuditProblem[] = []
  for (const { source, seq, head, generation } of known) {
    const detail = problemOf(seq, head, signer)
    if (head && detail === null) {
      if (!losses.some((loss) => isVoid(head.payload, generation, loss)))
        heads.push({ source, seq, hash: head.payload.hash, signed_at: head.payload.signed_at })
    } else {
      const signed_at = head?.payload.signed_at ?? null
      problems.push({
        code: 'head_invalid',
        from_seq: seq,
        to_seq: seq,
        head: { source, seq, signed_at },
        detail,
      })
    }
  }
  heads.sort((a, b) => a.seq - b.seq || rank[a.source] - rank[b.source])
  return { heads, problems }
}

/** Heads outside the vault have no generation, so compare timestamps; their fixed format sorts as text. */
function isVoid(head: SignedAuditHead['payload'], generation: number | undefined, loss: Loss): boolean {
  const isEarlier = generation === undefined ? head.signed_at <= loss.signed_at : generation < loss.number
  return isEarlier && head.seq >= loss.from_seq
}

function problemOf(seq: number, head: SignedAuditHead | null, signer: HeadSigner): string | null {
  if (!head) return 'it cannot be read'
  if (head.payload.seq !== seq)
    return `it is stored as the head of entry ${seq} and covers entry ${head.payload.seq}`
  return signer.problemOf(head)
}

/** Lost or invalid heads do not show that an entry is wrong. */
function firstBroken(problems: readonly AuditProblem[]): number | null {
  const ofEntries = problems.filter(({ code }) => code !== 'head_invalid' && code !== 'vault_behind')
  return ofEntries.length === 0 ? null : Math.min(...ofEntries.map(({ from_seq }) => from_seq))
}

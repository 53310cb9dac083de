import type { AuditProblem, AuditVerification, HeadReference } from '@kyc/common'

const places = {
  vault: 'stored in the vault',
  database: 'stored in the database',
  export: 'that was exported',
}

const nameOf = (head: HeadReference): string =>
  `the head of ${head.signed_at ?? `entry ${head.seq}`} ${places[head.source]}`

const range = (from: number, to: number): string =>
  from === to ? `Entry ${from} is` : `Entries ${from} to ${to} are`

/** The verification result in sentences: what is proven and by which head, what is not, and which problems exist. */
export function statementOf(result: Omit<AuditVerification, 'statement'>): string[] {
  const { entries, chained_to, proven_to, proven_by, problems, losses } = result
  const sentences = problems.map(sentenceOf)
  if (proven_by) sentences.push(`${range(1, proven_to)} proven by ${nameOf(proven_by)}.`)
  else if (entries === 0) sentences.push('The log is empty: nothing is proven.')
  else sentences.push('Nothing is proven: no head outside the database covers these entries.')
  if (chained_to > proven_to)
    sentences.push(`${range(proven_to + 1, chained_to)} chained but not yet covered by a head.`)
  for (const { from_seq, to_seq, signed_at } of losses)
    sentences.push(
      `At ${signed_at} an operator accepted the loss of the entries that were ${from_seq} to ${to_seq}.`,
    )
  return sentences
}

function sentenceOf({ code, from_seq, to_seq, head, detail }: AuditProblem): string {
  const by = head ? nameOf(head) : ''
  switch (code) {
    case 'entry_altered':
      return `Entry ${from_seq} is not what was written, or is missing.`
    case 'entries_missing':
      return `${range(from_seq, to_seq)} missing: ${by} proves that the log had ${to_seq} entries.`
    case 'entries_replaced':
      return `${range(from_seq, to_seq)} not what was written: ${by} does not fit them.`
    case 'head_invalid':
      return `${by[0]?.toUpperCase()}${by.slice(1)} is not valid: ${detail}.`
    case 'vault_behind':
      return `The vault lacks heads from entry ${from_seq} on: ${by} covers entry ${to_seq}. The vault was restored to an older state, or heads were deleted from it.`
  }
}

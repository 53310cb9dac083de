import { KycError } from '../errors.ts'
import type { Decision } from '../generated/types.ts'
import { type Context, readJson, text, UsageError } from './context.ts'
import { receiptProblems, type SignedReceipt, type SigningKey } from './receipt.ts'

/** `kyc verify-receipt SESSION_ID` fetches the receipt; with `--file` and `--keys` it works offline. */
export async function verifyReceipt(context: Context): Promise<void> {
  const { kyc, output, positionals } = context
  const file = text(context, 'file')
  const keysFile = text(context, 'keys')
  const [sessionId] = positionals
  if (file === undefined && sessionId === undefined) throw new UsageError('SESSION_ID or --file is missing')
  const receipt = file ? (readJson(file) as SignedReceipt) : await kyc.sessions.receipt(String(sessionId))
  const { keys } = keysFile ? (readJson(keysFile) as { keys: SigningKey[] }) : await kyc.signingKeys.list()
  const decisionFile = text(context, 'decision')
  const decision = decisionFile
    ? (readJson(decisionFile) as Decision)
    : file
      ? undefined
      : await kyc.sessions.decision(receipt.payload.session_id)
  const problems = receiptProblems(receipt, keys ?? [], decision)
  const { session_id, status, decided_at } = receipt?.payload ?? {}
  if (output.json)
    output.print(JSON.stringify({ valid: problems.length === 0, problems, session_id, status }))
  else if (problems.length === 0) {
    output.print(`valid: ${session_id} was ${status} at ${decided_at}`)
    if (!keysFile) output.note('The keys came from the service itself: keep them (--keys) to rely on no one.')
  }
  if (problems.length > 0) throw new KycError(`not valid: ${problems.join('; ')}`)
}

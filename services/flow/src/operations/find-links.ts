import { findSessionLinks } from '@kyc/common'
import { findHandoffTokens } from '../store/handoffs.ts'
import type { Operations } from './context.ts'

/** Returns the token hashes that belong to a link issued by this service (hand-off) or by `session`. */
export async function findLinks(
  { database, bus }: Pick<Operations, 'database' | 'bus'>,
  tokenSha256: readonly string[],
): Promise<string[]> {
  const handoffs = await findHandoffTokens(database, tokenSha256)
  const issuedHere = new Set(handoffs)
  const others = tokenSha256.filter((hash) => !issuedHere.has(hash))
  if (others.length === 0) return handoffs
  const { known } = await bus.request(findSessionLinks, { token_sha256: others })
  return [...handoffs, ...known]
}

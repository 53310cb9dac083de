import { newToken, type Sql } from '@kyc/runtime'
import { tokenHash } from '../domain/token-hash.ts'
import { copyKnownBrowser, insertKnownBrowser } from '../store/known-browsers.ts'
import { markBrowserKnown } from '../store/sign-ins.ts'
import type { Operations } from './context.ts'

/**
 * Makes the browser known for the person and returns the token for its cookie. The token is always a new one: a cookie that somebody
 * else planted in this browser never becomes known for the person. The earlier one stays valid until it is pruned, because a
 * response with the new one may be lost.
 */
export async function rememberBrowser(
  { clock }: Pick<Operations, 'clock'>,
  sql: Sql,
  person: { userId: string; browser: string | null },
): Promise<string> {
  const token = newToken()
  const browserSha256 = tokenHash(token)
  if (person.browser !== null) await copyKnownBrowser(sql, person.browser, browserSha256)
  await insertKnownBrowser(sql, { userId: person.userId, browserSha256, now: clock.now() })
  return token
}

/** Once for each complete sign-in: the token for the browser's cookie, or null where another request has taken it. */
export async function rememberBrowserOf(
  operations: Pick<Operations, 'clock' | 'database'>,
  signIn: { id: string; user_id: string },
  browser: string | null,
): Promise<string | null> {
  return operations.database.transaction(async (tx) =>
    (await markBrowserKnown(tx, signIn.id))
      ? rememberBrowser(operations, tx, { userId: signIn.user_id, browser })
      : null,
  )
}

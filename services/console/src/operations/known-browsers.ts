import { newToken, type Sql } from '@kyc/runtime'
import { tokenHash } from '../domain/token-hash.ts'
import { copyKnownBrowser, insertKnownBrowser } from '../store/known-browsers.ts'
import { markBrowserKnown } from '../store/sign-ins.ts'
import type { Operations } from './context.ts'

/**
 * Makes the browser known for the user and returns the token for its cookie. The token is always new, so that a cookie
 * that someone else planted in this browser never becomes known for the user. The earlier token stays valid until it is
 * pruned, because the response with the new one may be lost.
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

/** Once per complete sign-in: the token for the browser's cookie, or null if another request has taken it. */
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

import { newToken, type Sql } from '@kyc/runtime'
import { attemptKinds, knownBrowserSubject } from '../domain/throttle-rule.ts'
import { tokenHash } from '../domain/token-hash.ts'
import { insertKnownBrowser, moveKnownBrowser } from '../store/known-browsers.ts'
import { markBrowserKnown } from '../store/sign-ins.ts'
import { moveAttempts } from '../store/throttle.ts'
import type { Operations } from './context.ts'

/**
 * Makes the browser known for the user and returns the token for its cookie. The token is always new, so that a cookie
 * that someone else planted in this browser never becomes known for the user. The earlier token stays valid for this user
 * until it is pruned, because the response with the new one may be lost.
 */
export async function rememberBrowser(
  { clock }: Pick<Operations, 'clock'>,
  sql: Sql,
  person: { userId: string; browser: string | null },
): Promise<string> {
  const token = newToken()
  const browserSha256 = tokenHash(token)
  if (person.browser !== null) await moveOthers(sql, person.browser, browserSha256, person.userId)
  await insertKnownBrowser(sql, { userId: person.userId, browserSha256, now: clock.now() })
  return token
}

/** Moves their attempt counts as well: the count of guesses at their passwords does not restart. */
async function moveOthers(sql: Sql, from: string, to: Buffer, exceptUserId: string): Promise<void> {
  const others = await moveKnownBrowser(sql, { fromSha256: from, toSha256: to, exceptUserId })
  for (const other of others) {
    for (const kind of attemptKinds) {
      const subject = (browser: string) => knownBrowserSubject(kind, other, browser)
      await moveAttempts(sql, subject(from), subject(to.toString('hex')))
    }
  }
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

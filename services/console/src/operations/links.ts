import { notFound, toTimestamp } from '@kyc/common'
import { newId, newToken } from '@kyc/runtime'
import { tokenHash } from '../domain/token-hash.ts'
import { linkMail } from '../mail/link-mail.ts'
import { deleteResets, findLink, insertLink, type Link, takeLink } from '../store/links.ts'
import { endSignIns } from '../store/sign-ins.ts'
import { findUser, findUserByEmail, insertUser, setPassword } from '../store/users.ts'
import { accountOf, beginAttempt } from './attempts.ts'
import { type Actor, audit, type Operations } from './context.ts'
import { rememberBrowser } from './known-browsers.ts'
import { hashNewPassword } from './passwords.ts'

const linkMs = 60 * 60_000

type NewLink = Pick<Link, 'kind' | 'email' | 'user_id' | 'role' | 'app_ids' | 'made_by'>

/** A link that works once, for an hour. Only the hash of its token is stored. */
export async function makeLink(
  { database, clock, pagesUrl }: Operations,
  link: NewLink,
  actor: Actor,
): Promise<{ link: Link; url: string }> {
  const token = newToken()
  const now = clock.now()
  const made: Link = {
    ...link,
    id: newId('invitation'),
    created_at: now,
    expires_at: new Date(now.getTime() + linkMs),
  }
  await database.transaction(async (tx) => {
    await insertLink(tx, { ...made, tokenSha256: tokenHash(token) })
    await audit(tx, clock, actor, {
      app_id: null,
      action: link.kind === 'invitation' ? 'user.invited' : 'user.password_reset_requested',
      target: link.user_id ?? made.id,
      details: link.role === null ? {} : { role: link.role },
    })
  })
  // Browsers do not send the fragment to any server, so the token appears in no log.
  return { link: made, url: `${pagesUrl}/console/link#${token}` }
}

/** Mails the link. Without a mail server, returns it to the user who created it. */
export async function sendLink({ mailer }: Operations, made: { link: Link; url: string }) {
  const { link, url } = made
  if (mailer) await mailer.send(linkMail(link.kind, link.email, url))
  return { mailed: mailer !== null, link: mailer ? null : url, expires_at: toTimestamp(link.expires_at) }
}

/**
 * Responds equally, and equally fast, whether or not the address has an account. Without a mail server an administrator
 * has to help.
 */
export async function requestPasswordReset(
  operations: Operations,
  given: { email: string; address: string | null; browser: string | null },
): Promise<void> {
  const user = await findUserByEmail(operations.database, given.email)
  await beginAttempt(operations, {
    kind: 'reset',
    account: accountOf(user, given.email),
    userId: user?.id ?? null,
    address: given.address,
    browser: given.browser,
  })
  if (!user || user.disabled_at || !operations.mailer) return
  const made = makeLink(
    operations,
    {
      kind: 'password_reset',
      email: user.email,
      user_id: user.id,
      role: null,
      app_ids: null,
      made_by: 'self',
    },
    { type: 'user', id: user.id, ip: given.address },
  )
  made
    .then((link) => sendLink(operations, link))
    .catch((error: unknown) => operations.logger.error('a password reset could not be mailed', { error }))
}

export async function openLink({ database, clock }: Operations, token: string) {
  const link = await findLink(database, tokenHash(token), clock.now())
  if (!link) throw notFound('link, or it was used or is older than an hour')
  return { kind: link.kind, email: link.email, expires_at: toTimestamp(link.expires_at) }
}

/**
 * Accepts an invitation or sets a new password. An existing second factor stays. Returns the token for the cookie that
 * makes the browser known, because the link proved that the user reads the mail.
 */
export async function useLink(
  operations: Operations,
  given: {
    token: string
    password: string
    name?: string | undefined
    address: string | null
    browser: string | null
  },
): Promise<string> {
  const { database, clock } = operations
  const now = clock.now()
  const sha256 = tokenHash(given.token)
  const seen = await findLink(database, sha256, now)
  if (!seen) throw notFound('link, or it was used or is older than an hour')
  const before = seen.user_id ? await findUser(database, seen.user_id) : null
  const person = { email: seen.email, name: given.name ?? before?.name ?? null }
  // Hash first, so that a rejected password does not use up the link.
  const hash = await hashNewPassword(given.password, person)
  return database.transaction(async (tx) => {
    const link = await takeLink(tx, sha256, now)
    if (!link) throw notFound('link, or it was used or is older than an hour')
    const userId = link.user_id ?? newId('user')
    if (link.user_id) {
      await setPassword(tx, userId, hash)
      await deleteResets(tx, userId)
      await endSignIns(tx, userId, now)
    } else {
      await insertUser(tx, {
        id: userId,
        email: link.email,
        name: person.name,
        role: link.role ?? 'reviewer',
        app_ids: link.app_ids,
        password_hash: hash,
        now,
      })
    }
    await audit(
      tx,
      clock,
      { type: 'user', id: userId, ip: given.address },
      {
        app_id: null,
        action: link.user_id ? 'user.password_reset' : 'user.joined',
        target: userId,
        details: { link: link.id },
      },
    )
    return rememberBrowser(operations, tx, { userId, browser: given.browser })
  })
}

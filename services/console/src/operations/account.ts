import { actionsOf, type consoleAccount, toTimestamp, unauthorized, unprocessable } from '@kyc/common'
import type { ConsoleUserCaller } from '@kyc/http'
import { newToken } from '@kyc/runtime'
import type { z } from 'zod'
import { endsAt, isLive, reauthenticatedUntil } from '../domain/sign-in-rule.ts'
import { listApps } from '../store/apps.ts'
import { deleteResets } from '../store/links.ts'
import { recoveryCodesLeft } from '../store/second-factors.ts'
import { endSignIn, endSignIns, findSignInById, listSignIns } from '../store/sign-ins.ts'
import { setPassword } from '../store/users.ts'
import { beginAttempt } from './attempts.ts'
import { actorOf, audit, type Operations } from './context.ts'
import { hashNewPassword, verifyPassword } from './passwords.ts'
import { existingUser, raise } from './second-factor.ts'
import { recordFailure, type SignedIn } from './sign-in.ts'

type Account = Omit<z.input<typeof consoleAccount>, 'csrf_token'>

/** The signed-in user with permissions and apps. Before the sign-in is complete, without permissions and apps. */
export async function getAccount({ database }: Operations, caller: ConsoleUserCaller): Promise<Account> {
  const user = await existingUser(database, caller.user_id)
  const signIn = await findSignInById(database, caller.sign_in_id)
  if (!signIn) throw unauthorized('Please sign in.')
  const { absolute, idle } = endsAt(signIn)
  const until = reauthenticatedUntil(signIn.reauthenticated_at)
  const full = caller.state === 'full'
  const apps = full ? await listApps(database, user.app_ids) : []
  return {
    state: caller.state,
    user: { id: user.id, email: user.email, name: user.name, role: user.role },
    actions: full ? actionsOf(user.role) : [],
    apps: apps.map(({ app_id, name, environment, logo_url, accent }) => ({
      app_id,
      name,
      environment,
      logo_url,
      accent,
    })),
    second_factor: {
      authenticator_app: user.totp_secret !== null,
      passkeys: user.passkeys,
      recovery_codes_left: await recoveryCodesLeft(database, user.id),
    },
    session: {
      id: signIn.id,
      expires_at: toTimestamp(absolute),
      idle_expires_at: toTimestamp(idle),
      reauthenticated_until: until && toTimestamp(until),
    },
  }
}

export async function signOut({ database, clock }: Operations, caller: ConsoleUserCaller): Promise<void> {
  await database.transaction(async (tx) => {
    if (!(await endSignIn(tx, caller.user_id, caller.sign_in_id, clock.now()))) return
    await audit(tx, clock, actorOf(caller), {
      app_id: null,
      action: 'user.signed_out',
      target: caller.sign_in_id,
    })
  })
}

/** Requires the current password. Ends every other session and revokes open reset links. */
export async function changePassword(
  operations: Operations,
  caller: ConsoleUserCaller,
  given: { current_password: string; new_password: string },
): Promise<SignedIn> {
  const { database, clock } = operations
  const user = await existingUser(database, caller.user_id)
  const forgive = await beginAttempt(operations, {
    kind: 'password',
    account: user.id,
    userId: user.id,
    address: caller.address,
    browser: caller.browser,
  })
  if (!(await verifyPassword(user.password_hash, given.current_password))) {
    await recordFailure(operations, user, caller.address, 'password')
    throw unprocessable('The current password is wrong.')
  }
  await forgive()
  const hash = await hashNewPassword(given.new_password, user)
  const token = newToken()
  await database.transaction(async (tx) => {
    await setPassword(tx, user.id, hash)
    await deleteResets(tx, user.id)
    await endSignIns(tx, user.id, clock.now(), caller.sign_in_id)
    await raise(tx, operations, caller.sign_in_id, token)
    await audit(tx, clock, actorOf(caller), {
      app_id: null,
      action: 'user.password_changed',
      target: user.id,
    })
  })
  return { token, state: 'full' }
}

export async function listOwnSessions({ database, clock }: Operations, caller: ConsoleUserCaller) {
  const now = clock.now()
  const rows = await listSignIns(database, caller.user_id)
  return {
    data: rows
      .filter((row) => isLive(row, now))
      .map((row) => ({
        id: row.id,
        current: row.id === caller.sign_in_id,
        created_at: toTimestamp(row.created_at),
        last_seen_at: toTimestamp(row.last_seen_at),
        expires_at: toTimestamp(endsAt(row).idle),
        address: row.address,
        device: row.device,
      })),
  }
}

/** False if the user has no such session. */
export async function endOwnSession(
  { database, clock }: Operations,
  caller: ConsoleUserCaller,
  id: string,
): Promise<boolean> {
  return database.transaction(async (tx) => {
    if (!(await endSignIn(tx, caller.user_id, id, clock.now()))) return false
    await audit(tx, clock, actorOf(caller), { app_id: null, action: 'user.session_ended', target: id })
    return true
  })
}

export async function endOtherSessions(
  { database, clock }: Operations,
  caller: ConsoleUserCaller,
): Promise<void> {
  await database.transaction(async (tx) => {
    const count = await endSignIns(tx, caller.user_id, clock.now(), caller.sign_in_id)
    await audit(tx, clock, actorOf(caller), {
      app_id: null,
      action: 'user.other_sessions_ended',
      target: caller.user_id,
      details: { count },
    })
  })
}

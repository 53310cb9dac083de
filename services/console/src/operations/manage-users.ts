import {
  type ConsoleRole,
  conflict,
  forbidden,
  managedRoles,
  notFound,
  type PresentedConsoleUser,
  toTimestamp,
} from '@kyc/common'
import type { ConsoleUserCaller } from '@kyc/http'
import type { Sql } from '@kyc/runtime'
import { deleteLink, deleteResets, type Link, openInvitations } from '../store/links.ts'
import { removeSecondFactors } from '../store/second-factors.ts'
import { endSignIns } from '../store/sign-ins.ts'
import {
  activeOwners,
  listUsers as allUsers,
  changeUser,
  findUser,
  findUserByEmail,
  type User,
} from '../store/users.ts'
import { actorOf, audit, type Operations } from './context.ts'
import { makeLink, sendLink } from './links.ts'

type Apps = string[] | null

/** Whether everything in `inner` is in `outer`. Null means all apps, and is within no list. */
function within(inner: Apps, outer: Apps): boolean {
  if (outer === null) return true
  if (inner === null) return false
  return inner.every((app) => outer.includes(app))
}

export async function listUsers({ database, clock }: Operations, caller: ConsoleUserCaller) {
  const users = await allUsers(database)
  const invitations = await openInvitations(database, clock.now())
  const visible = (item: { app_ids: Apps }) => within(item.app_ids, caller.app_ids)
  return {
    data: users.filter((user) => user.id === caller.user_id || visible(user)).map(presentUser),
    invitations: invitations.filter(visible).map(presentInvitation),
  }
}

/** `forbidden` for a role that the inviter does not manage, or for apps that they do not see. */
export async function inviteUser(
  operations: Operations,
  caller: ConsoleUserCaller,
  given: { email: string; role: ConsoleRole; app_ids: Apps },
) {
  const app_ids = given.role === 'owner' ? null : given.app_ids
  requireManaged(caller, given.role, app_ids)
  if (await findUserByEmail(operations.database, given.email)) {
    throw conflict('Somebody with this address has an account already.')
  }
  const made = await makeLink(
    operations,
    {
      kind: 'invitation',
      email: given.email,
      user_id: null,
      role: given.role,
      app_ids,
      made_by: caller.user_id,
    },
    actorOf(caller),
  )
  return { ...(await sendLink(operations, made)), invitation: presentInvitation(made.link) }
}

export async function withdrawInvitation(
  { database, clock }: Operations,
  caller: ConsoleUserCaller,
  id: string,
): Promise<void> {
  await database.transaction(async (tx) => {
    const link = (await openInvitations(tx, clock.now())).find((open) => open.id === id)
    if (!link || !within(link.app_ids, caller.app_ids)) throw notFound('invitation')
    requireManaged(caller, link.role ?? 'owner', link.app_ids)
    await deleteLink(tx, id)
    await audit(tx, clock, actorOf(caller), {
      app_id: null,
      action: 'user.invitation_withdrawn',
      target: id,
    })
  })
}

/** Role, apps, name, disabled. Any change of permissions ends the user's sessions at once. */
export async function updateUser(
  { database, clock }: Operations,
  caller: ConsoleUserCaller,
  id: string,
  change: {
    name?: string | null | undefined
    role?: ConsoleRole | undefined
    app_ids?: Apps | undefined
    disabled?: boolean | undefined
  },
): Promise<PresentedConsoleUser> {
  return database.transaction(async (tx) => {
    const owners = await activeOwners(tx)
    const user = await managedUser(tx, caller, id)
    const role = change.role ?? user.role
    const app_ids = role === 'owner' ? null : change.app_ids === undefined ? user.app_ids : change.app_ids
    requireManaged(caller, role, app_ids)
    const disabled = change.disabled ?? user.disabled_at !== null
    if (owners.length === 1 && owners[0] === id && (role !== 'owner' || disabled)) {
      throw conflict('The last owner stays an owner.')
    }
    const disabled_at = disabled ? (user.disabled_at ?? clock.now()) : null
    const name = change.name === undefined ? user.name : change.name
    await changeUser(tx, id, { name, role, app_ids, disabled_at })
    const lessOrOther = role !== user.role || disabled || !within(user.app_ids, app_ids)
    if (lessOrOther) await endSignIns(tx, id, clock.now())
    if (disabled) await deleteResets(tx, id)
    await audit(tx, clock, actorOf(caller), {
      app_id: null,
      action: 'user.changed',
      target: id,
      details: { role, disabled, apps: app_ids === null ? 'all' : app_ids.join(' ') },
    })
    return presentUser({ ...user, name, role, app_ids, disabled_at })
  })
}

export async function endUserSessions(
  { database, clock }: Operations,
  caller: ConsoleUserCaller,
  id: string,
): Promise<void> {
  await database.transaction(async (tx) => {
    await managedUser(tx, caller, id)
    const count = await endSignIns(tx, id, clock.now())
    await audit(tx, clock, actorOf(caller), {
      app_id: null,
      action: 'user.sessions_ended',
      target: id,
      details: { count },
    })
  })
}

export async function sendPasswordReset(operations: Operations, caller: ConsoleUserCaller, id: string) {
  const user = await managedUser(operations.database, caller, id)
  if (user.disabled_at) throw conflict('The account is disabled.')
  const made = await makeLink(
    operations,
    {
      kind: 'password_reset',
      email: user.email,
      user_id: user.id,
      role: null,
      app_ids: null,
      made_by: caller.user_id,
    },
    actorOf(caller),
  )
  return sendLink(operations, made)
}

/** Use after the user has proved their identity in another way. They enrol again at the next sign-in. */
export async function removeSecondFactor(
  { database, clock }: Operations,
  caller: ConsoleUserCaller,
  id: string,
): Promise<void> {
  await database.transaction(async (tx) => {
    await managedUser(tx, caller, id)
    await removeSecondFactors(tx, id)
    await endSignIns(tx, id, clock.now())
    await audit(tx, clock, actorOf(caller), {
      app_id: null,
      action: 'user.second_factor_removed',
      target: id,
    })
  })
}

function requireManaged(caller: ConsoleUserCaller, role: ConsoleRole, appIds: Apps): void {
  if (!managedRoles[caller.role].includes(role)) throw forbidden('Your role does not manage this role.')
  if (!within(appIds, caller.app_ids)) throw forbidden('You can give access only to apps that you see.')
}

/**
 * `not_found` for a user who sees an app that the caller does not see; `forbidden` for a role that the caller does not
 * manage.
 */
async function managedUser(sql: Sql, caller: ConsoleUserCaller, id: string): Promise<User> {
  const user = await findUser(sql, id)
  if (!user || !within(user.app_ids, caller.app_ids)) throw notFound('user')
  requireManaged(caller, user.role, user.app_ids)
  return user
}

const presentUser = (user: User): PresentedConsoleUser => ({
  id: user.id,
  email: user.email,
  name: user.name,
  role: user.role,
  app_ids: user.app_ids,
  second_factors: { authenticator_app: user.totp_secret !== null, passkeys: user.passkeys },
  created_at: toTimestamp(user.created_at),
  last_signed_in_at: user.last_signed_in_at && toTimestamp(user.last_signed_in_at),
  disabled_at: user.disabled_at && toTimestamp(user.disabled_at),
})

const presentInvitation = (link: Link) => ({
  id: link.id,
  email: link.email,
  role: link.role ?? 'reviewer',
  app_ids: link.app_ids,
  invited_by: link.made_by,
  created_at: toTimestamp(link.created_at),
  expires_at: toTimestamp(link.expires_at),
})

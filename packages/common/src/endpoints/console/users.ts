import { z } from 'zod'
import { consoleRole } from '../../domain/console-permissions.ts'
import { appId, pathId } from '../../domain/ids.ts'
import { timestamp } from '../../domain/timestamp.ts'
import { defineContract } from '../define.ts'
import { singleLine } from '../parts.ts'
import { allowed, allowedAnew, consoleEndpoint } from './parts.ts'

const common = { ...consoleEndpoint, tag: 'Users' } as const
const userParams = z.object({ user_id: pathId })

/** The apps that a user can see; null: all. Owners see all apps. */
const visibleApps = z.array(appId).max(100).nullable()

export const consoleUser = z.object({
  id: z.string(),
  email: z.string(),
  name: z.string().nullable(),
  role: consoleRole,
  app_ids: visibleApps,
  second_factors: z.object({ authenticator_app: z.boolean(), passkeys: z.int() }),
  created_at: timestamp,
  last_signed_in_at: timestamp.nullable(),
  disabled_at: timestamp.nullable(),
})
export type PresentedConsoleUser = z.infer<typeof consoleUser>

export const invitation = z.object({
  id: z.string(),
  email: z.string(),
  role: consoleRole,
  app_ids: visibleApps,
  invited_by: z.string(),
  created_at: timestamp,
  expires_at: timestamp,
})

/** An emailed link. The link is in the response only when the server sends no email. */
const sentLink = z.object({ mailed: z.boolean(), link: z.string().nullable(), expires_at: timestamp })

export const consoleUserEndpoints = defineContract({
  listUsers: {
    ...common,
    method: 'get',
    path: '/console/api/users',
    access: allowed('user.read'),
    summary: 'Console users and open invitations',
    success: {
      status: 200,
      body: z.object({ data: z.array(consoleUser), invitations: z.array(invitation) }),
    },
    errors: [],
  },
  inviteUser: {
    ...common,
    method: 'post',
    path: '/console/api/users/invitations',
    access: allowedAnew('user.manage'),
    summary: 'Invite a person: one link, once, for an hour',
    body: z.strictObject({
      email: z.email('must be a valid address').max(254),
      role: consoleRole,
      app_ids: visibleApps.default(null),
    }),
    success: { status: 201, body: sentLink.extend({ invitation }) },
    errors: ['bad_request', 'conflict'],
  },
  withdrawInvitation: {
    ...common,
    method: 'delete',
    path: '/console/api/users/invitations/:invitation_id',
    access: allowed('user.manage'),
    summary: 'Withdraw an invitation',
    params: z.object({ invitation_id: pathId }),
    success: { status: 204, body: null },
    errors: ['not_found'],
  },
  updateUser: {
    ...common,
    method: 'patch',
    path: '/console/api/users/:user_id',
    access: allowedAnew('user.manage'),
    summary: 'Change role or apps, disable or enable; disabling ends every session at once',
    params: userParams,
    body: z.strictObject({
      name: singleLine(80).nullable().optional(),
      role: consoleRole.optional(),
      app_ids: visibleApps.optional(),
      disabled: z.boolean().optional(),
    }),
    success: { status: 200, body: consoleUser },
    errors: ['bad_request', 'not_found', 'conflict'],
  },
  endUserSessions: {
    ...common,
    method: 'post',
    path: '/console/api/users/:user_id/sign-out',
    access: allowed('user.manage'),
    summary: "End all of a user's sessions",
    params: userParams,
    success: { status: 204, body: null },
    errors: ['not_found'],
  },
  sendPasswordReset: {
    ...common,
    method: 'post',
    path: '/console/api/users/:user_id/password-reset',
    access: allowedAnew('user.manage'),
    summary: 'A link by which the person sets a new password; the second factor stays',
    params: userParams,
    success: { status: 200, body: sentLink },
    errors: ['not_found', 'conflict'],
  },
  removeSecondFactor: {
    ...common,
    method: 'delete',
    path: '/console/api/users/:user_id/second-factor',
    access: allowedAnew('user.manage'),
    summary:
      'Remove every second factor, passkeys included, once the person has proved who they are: they enrol again at the next sign-in',
    params: userParams,
    success: { status: 204, body: null },
    errors: ['not_found'],
  },
})

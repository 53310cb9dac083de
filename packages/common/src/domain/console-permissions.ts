import { z } from 'zod'

/** The role of a console user in the installation. */
export const consoleRoles = ['reviewer', 'admin', 'owner'] as const
export const consoleRole = z.enum(consoleRoles)
export type ConsoleRole = z.infer<typeof consoleRole>

/**
 * The minimum role for each action. An admin can do everything that a reviewer can, and an owner everything that an
 * admin can.
 */
export const consoleActions = {
  'app.read': 'reviewer',
  'session.read': 'reviewer',
  'evidence.read': 'reviewer',
  'session.decide': 'reviewer',
  'session.note': 'reviewer',
  'session.assign': 'reviewer',
  'session.ask_again': 'reviewer',
  'session.rescreen': 'reviewer',
  'aml_match.review': 'reviewer',
  'workflow.read': 'reviewer',
  'analytics.read': 'reviewer',
  'list.read': 'reviewer',
  'block_list.read': 'reviewer',

  'session.create': 'admin',
  'session.purge': 'admin',
  'workflow.write': 'admin',
  'workflow.simulate': 'admin',
  'list.refresh': 'admin',
  'block_list.write': 'admin',
  'key.read': 'admin',
  'key.write': 'admin',
  'webhook.read': 'admin',
  'webhook.write': 'admin',
  'delivery.read': 'admin',
  'delivery.redeliver': 'admin',
  'settings.write': 'admin',
  'audit.read': 'admin',
  'user.read': 'admin',
  /** Which users: see {@link managedRoles}. */
  'user.manage': 'admin',

  'app.create': 'owner',
  'retention.write': 'owner',
  'webhook.rotate_secret': 'owner',
} as const satisfies Record<string, ConsoleRole>

export type ConsoleAction = keyof typeof consoleActions

const rank: Record<ConsoleRole, number> = { reviewer: 0, admin: 1, owner: 2 }

export const mayDo = (role: ConsoleRole, action: ConsoleAction): boolean =>
  rank[role] >= rank[consoleActions[action]]

/** Every action of a role, so that a page can hide actions that would be rejected. */
export const actionsOf = (role: ConsoleRole): ConsoleAction[] =>
  (Object.keys(consoleActions) as ConsoleAction[]).filter((action) => mayDo(role, action))

/** The roles whose accounts a role can create, change and delete. */
export const managedRoles: Record<ConsoleRole, readonly ConsoleRole[]> = {
  reviewer: [],
  admin: ['reviewer'],
  owner: ['reviewer', 'admin', 'owner'],
}

import { z } from 'zod'

/** An id is a prefix that names the resource and an opaque part with at least 128 random bits. */
export const idPrefixes = {
  session: 'ses',
  workflow: 'wf',
  delivery: 'whd',
  app: 'app',
  api_key: 'key',
  user: 'usr',
  sign_in: 'sgn',
  passkey: 'pky',
  saved_view: 'view',
  invitation: 'inv',
  object: 'obj',
  challenge: 'chl',
  message: 'msg',
} as const

export type IdKind = keyof typeof idPrefixes

const idSchema = (kind: IdKind) =>
  z.string().regex(new RegExp(`^${idPrefixes[kind]}_[A-Za-z0-9]{16,64}$`), `must be a ${kind} id`)

export const sessionId = idSchema('session').meta({ example: 'ses_5yVq1mA7c0ZJwQpH3kXn2RtB' })
export const workflowId = idSchema('workflow').meta({ example: 'wf_8kD2hT6vLr0bYcE4sNqW9uXa' })
export const deliveryId = idSchema('delivery').meta({ example: 'whd_3nF7pR1xGt9sKjC5wBmV2yQz' })
export const appId = idSchema('app')
export const apiKeyId = idSchema('api_key')
export const userId = idSchema('user')
export const signInId = idSchema('sign_in')
export const invitationId = idSchema('invitation')
export const objectId = idSchema('object')
export const challengeId = idSchema('challenge')

/** Path parameters are looked up, not validated: an id in any other form is simply not found. */
export const pathId = z.string().min(1).max(128)

/** `test` and `live` are separate apps with separate data. */
export const environment = z.enum(['test', 'live'])
export type Environment = z.infer<typeof environment>

export const apiKeyPrefix = { test: 'kyc_test_', live: 'kyc_live_' } as const
export const webhookSecretPrefix = 'whsec_'

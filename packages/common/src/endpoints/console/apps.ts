import { z } from 'zod'
import { environment, pathId } from '../../domain/ids.ts'
import { keyScope } from '../../domain/key-scopes.ts'
import { timestamp } from '../../domain/timestamp.ts'
import { apiKey } from '../../messages/admin-requests.ts'
import { defineContract } from '../define.ts'
import { singleLine } from '../parts.ts'
import { allowed, allowedAnew, appParams, appPath, consoleEndpoint } from './parts.ts'

const common = { ...consoleEndpoint, tag: 'Apps' } as const
const keyParams = appParams.extend({ key_id: pathId })

/**
 * The image itself as a data URL, because the hosted flow loads nothing from other hosts, so that no third party learns
 * who opened it. At most 30 KB.
 */
const logoUrl = z
  .string()
  .max(40_000, 'must be a picture of at most 30 KB')
  .regex(
    /^data:image\/(png|jpeg|webp|svg\+xml);base64,[A-Za-z0-9+/]+=*$/,
    'must be a PNG, JPEG, WebP or SVG picture as a data: URL in base64',
  )
const accent = z.string().regex(/^#[0-9a-f]{6}$/i, 'must be a colour such as #1a73e8')
/** In the form that a browser sends: lower case, internationalised names in Punycode, no port. */
const hostName = z
  .string()
  .max(253)
  .regex(/^[a-z0-9][a-z0-9-]{0,62}(\.[a-z0-9-]{1,63})*$/, 'must be a host name such as shop.example.com')
const rateLimit = z.int().min(1).max(1_000_000)

export const consoleApp = z.object({
  app_id: z.string(),
  name: z.string(),
  environment,
  logo_url: z.string().nullable(),
  accent: z.string().nullable(),
  /** How long personal data is retained after completion. */
  retention_days: z.int(),
  /** Hosts that a session's `callback_url` may use; null: any host. */
  callback_hosts: z.array(z.string()).nullable(),
  created_at: timestamp,
  revision: z.int(),
})
export type PresentedApp = z.infer<typeof consoleApp>

export const consoleAppEndpoints = defineContract({
  listApps: {
    ...common,
    method: 'get',
    path: '/console/api/apps',
    access: allowed('app.read'),
    summary: 'The apps the person sees; test and live are apps of their own',
    success: { status: 200, body: z.object({ data: z.array(consoleApp) }) },
    errors: [],
  },
  createApp: {
    ...common,
    method: 'post',
    path: '/console/api/apps',
    access: allowedAnew('app.create'),
    summary: 'A new app with its default workflow, first key and webhook secret, shown once',
    body: z.strictObject({
      name: singleLine(120),
      environment,
      webhook_url: z.string().max(2048).nullable().default(null),
    }),
    success: {
      status: 201,
      body: z.object({
        app: consoleApp,
        api_key: z.string(),
        webhook_secret: z.string(),
        workflow_id: z.string(),
      }),
    },
    errors: ['bad_request'],
  },
  getApp: {
    ...common,
    method: 'get',
    path: appPath,
    access: allowed('app.read'),
    summary: 'An app',
    params: appParams,
    success: { status: 200, body: consoleApp },
    errors: ['not_found'],
  },
  updateApp: {
    ...common,
    method: 'patch',
    path: appPath,
    access: allowed('settings.write'),
    summary:
      'Name and branding, as people see them in the hosted flow, and the hosts they may be sent back to',
    params: appParams,
    body: z.strictObject({
      name: singleLine(120).optional(),
      logo_url: logoUrl.nullable().optional(),
      accent: accent.nullable().optional(),
      callback_hosts: z.array(hostName).max(50).nullable().optional(),
    }),
    success: { status: 200, body: consoleApp },
    errors: ['bad_request', 'not_found'],
  },
  setRetention: {
    ...common,
    method: 'put',
    path: `${appPath}/retention`,
    access: allowed('retention.write'),
    summary: 'How many days personal data is kept after completion',
    params: appParams,
    body: z.strictObject({ retention_days: z.int().min(1).max(3650) }),
    success: { status: 200, body: consoleApp },
    errors: ['bad_request', 'not_found'],
  },
  listKeys: {
    ...common,
    method: 'get',
    path: `${appPath}/keys`,
    access: allowed('key.read'),
    summary: 'API keys, newest first; never their values',
    params: appParams,
    success: { status: 200, body: z.object({ data: z.array(apiKey) }) },
    errors: ['not_found'],
  },
  createKey: {
    ...common,
    method: 'post',
    path: `${appPath}/keys`,
    access: allowedAnew('key.write'),
    summary: 'A new key; its full value is in this answer only',
    params: appParams,
    body: z.strictObject({
      name: singleLine(120),
      scopes: z.array(keyScope).min(1).nullable().default(null),
      expires_at: timestamp.nullable().default(null),
      rate_limit_per_minute: rateLimit.nullable().default(null),
    }),
    success: { status: 201, body: z.object({ key: z.string(), api_key: apiKey }) },
    errors: ['bad_request', 'not_found'],
  },
  updateKey: {
    ...common,
    method: 'patch',
    path: `${appPath}/keys/:key_id`,
    access: allowed('key.write'),
    summary: 'Rename a key or change its limit; holds within a second',
    params: keyParams,
    body: z.strictObject({
      name: singleLine(120).optional(),
      rate_limit_per_minute: rateLimit.nullable().optional(),
    }),
    success: { status: 200, body: apiKey },
    errors: ['bad_request', 'not_found'],
  },
  revokeKey: {
    ...common,
    method: 'delete',
    path: `${appPath}/keys/:key_id`,
    access: allowed('key.write'),
    summary: 'Revoke a key; the gateway refuses it within a second',
    params: keyParams,
    success: { status: 200, body: apiKey },
    errors: ['not_found'],
  },
})

import { z } from 'zod'
import { timestamp } from '../../domain/timestamp.ts'
import { defineContract } from '../define.ts'
import { allowed, consoleEndpoint } from './parts.ts'

const common = { ...consoleEndpoint, tag: 'Audit' } as const

export const actorType = z.enum(['user', 'api_key', 'system', 'end_user'])

/** Ids and codes only, so a purge never rewrites the chain. */
export const auditEntry = z.object({
  id: z.string(),
  seq: z.int().min(1),
  at: timestamp,
  /** Null: of the installation, not of an app. */
  app_id: z.string().nullable(),
  actor: z.object({ type: actorType, id: z.string().nullable() }),
  action: z.string(),
  target: z.string(),
  /** Of console users only. */
  ip: z.string().nullable(),
  details: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])),
  prev_hash: z.string(),
  hash: z.string(),
})
export type PresentedAuditEntry = z.infer<typeof auditEntry>

const filter = {
  app_id: z.string().max(128).optional(),
  action: z.string().max(128).optional(),
  actor_type: actorType.optional(),
  actor_id: z.string().max(128).optional(),
  target: z.string().max(128).optional(),
  from: timestamp.optional(),
  /** Not included. */
  to: timestamp.optional(),
}

/** The last entry of a day, signed with the installation's Ed25519 key. */
export const auditHead = z.object({
  day: z.iso.date(),
  seq: z.int().min(1),
  hash: z.string(),
  key_id: z.string(),
  /** Base64, over the JSON of `{day,seq,hash}` in that order. */
  signature: z.string(),
})

export const consoleAuditEndpoints = defineContract({
  listAudit: {
    ...common,
    method: 'get',
    path: '/console/api/audit',
    access: allowed('audit.read'),
    summary: 'Audit entries, newest first; `before_seq` gives the next page',
    query: z.strictObject({
      ...filter,
      before_seq: z
        .string()
        .regex(/^\d{1,15}$/, 'must be a whole number')
        .transform(Number)
        .optional(),
      limit: z
        .string()
        .regex(/^\d{1,3}$/, 'must be a whole number')
        .transform(Number)
        .pipe(z.int().min(1).max(200))
        .default(50),
    }),
    success: {
      status: 200,
      body: z.object({ data: z.array(auditEntry), next_before_seq: z.int().nullable() }),
    },
    errors: ['bad_request'],
  },
  exportAudit: {
    ...common,
    method: 'get',
    path: '/console/api/audit/export',
    access: allowed('audit.read'),
    summary: 'The same, oldest first, one JSON object a line',
    query: z.strictObject(filter),
    success: { status: 200, body: auditEntry, type: 'ndjson' },
    errors: ['bad_request'],
  },
  verifyAudit: {
    ...common,
    method: 'post',
    path: '/console/api/audit/verify',
    access: allowed('audit.read'),
    summary: 'Recompute the whole chain and check the signed heads',
    success: {
      status: 200,
      body: z.object({
        whole: z.boolean(),
        entries: z.int().min(0),
        /** The first entry that is not what was written, or the first that is missing. */
        first_broken_seq: z.int().nullable(),
        heads: z.int().min(0),
        /** The first day whose head does not fit the chain or its signature. */
        first_broken_head: z.iso.date().nullable(),
      }),
    },
    errors: [],
  },
  listAuditHeads: {
    ...common,
    method: 'get',
    path: '/console/api/audit/heads',
    access: allowed('audit.read'),
    summary: 'The signed daily heads and the public key that verifies them',
    success: {
      status: 200,
      body: z.object({
        data: z.array(auditHead),
        key_id: z.string(),
        /** SPKI, PEM. */
        public_key: z.string(),
      }),
    },
    errors: [],
  },
})

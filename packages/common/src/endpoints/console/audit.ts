import { z } from 'zod'
import { publicSigningKey, signedAuditHead } from '../../domain/attestation.ts'
import { timestamp } from '../../domain/timestamp.ts'
import { defineContract } from '../define.ts'
import { allowed, consoleEndpoint } from './parts.ts'

const common = { ...consoleEndpoint, tag: 'Audit' } as const

export const actorType = z.enum(['user', 'api_key', 'system', 'end_user'])

/** Ids and codes only, so that a purge never has to rewrite the chain. */
export const auditEntry = z.object({
  id: z.string(),
  seq: z.int().min(1),
  at: timestamp,
  /** Null: an entry of the installation, not of an app. */
  app_id: z.string().nullable(),
  actor: z.object({ type: actorType, id: z.string().nullable() }),
  action: z.string(),
  target: z.string(),
  /** For console users only. */
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
  /** Exclusive. */
  to: timestamp.optional(),
}

/** `database`: stored next to the log, so it proves nothing. `export`: provided by the person who verifies. */
export const headSource = z.enum(['vault', 'database', 'export'])
export type HeadSource = z.infer<typeof headSource>

const headReference = z.object({ source: headSource, seq: z.int(), signed_at: timestamp.nullable() })
export type HeadReference = z.infer<typeof headReference>

const auditProblem = z.object({
  code: z.enum(['entry_altered', 'entries_missing', 'entries_replaced', 'head_invalid', 'vault_behind']),
  from_seq: z.int(),
  to_seq: z.int(),
  /** The head that reveals it; null when the chain itself does. */
  head: headReference.nullable(),
  detail: z.string().nullable(),
})
export type AuditProblem = z.infer<typeof auditProblem>

export const auditVerification = z.object({
  /** `unproven`: nothing contradicts the log, but no head outside its database covers any of it. */
  verdict: z.enum(['proven', 'unproven', 'broken']),
  entries: z.int().min(0),
  /** Entries 1 to this one are linked by their hashes. */
  chained_to: z.int().min(0),
  /** Entries 1 to this one are covered by a head outside the database; 0 means none. */
  proven_to: z.int().min(0),
  proven_by: headReference.nullable(),
  /** The first entry that was altered or is missing. */
  first_broken_seq: z.int().nullable(),
  problems: z.array(auditProblem),
  /** Losses that an operator accepted; heads of these entries no longer count. */
  losses: z.array(z.object({ from_seq: z.int(), to_seq: z.int(), signed_at: timestamp })),
  /** Number of valid heads that were compared, from all sources. */
  heads: z.int().min(0),
  /** The same result in sentences. */
  statement: z.array(z.string()),
})
export type AuditVerification = z.infer<typeof auditVerification>

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
    summary: 'Recompute the whole chain and compare it with the heads in the vault, and with an exported one',
    body: z.strictObject({ head: signedAuditHead.optional() }),
    success: { status: 200, body: auditVerification },
    errors: ['bad_request'],
  },
  signAuditHead: {
    ...common,
    method: 'post',
    path: '/console/api/audit/head',
    access: allowed('audit.read'),
    summary: 'Sign the newest entry now, store the head in the vault and return it to be kept elsewhere',
    success: { status: 200, body: signedAuditHead },
    errors: ['conflict'],
  },
  listAuditHeads: {
    ...common,
    method: 'get',
    path: '/console/api/audit/heads',
    access: allowed('audit.read'),
    summary: 'The signed heads in the vault and the public keys that verify them',
    success: {
      status: 200,
      body: z.object({ data: z.array(signedAuditHead), keys: z.array(publicSigningKey) }),
    },
    errors: [],
  },
})

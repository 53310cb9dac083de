import { z } from 'zod'
import { checkKind, checkStatus, engine } from './checks.ts'
import { appId, environment, sessionId, workflowId } from './ids.ts'
import { decisionReason, sessionStatus } from './session-state.ts'
import { timestamp } from './timestamp.ts'

const sha256 = z.string().regex(/^[0-9a-f]{64}$/)

/** An Ed25519 public key as a JWK (RFC 8037); `kid` is its RFC 7638 thumbprint. */
export const publicSigningKey = z.object({
  kty: z.literal('OKP'),
  crv: z.literal('Ed25519'),
  x: z.string(),
  kid: z.string(),
  use: z.literal('sig'),
  alg: z.literal('EdDSA'),
})
export type PublicSigningKey = z.infer<typeof publicSigningKey>

/** Ed25519 (RFC 8032) over the canonical JSON (RFC 8785) of `payload`; the value is base64url. */
export const documentSignature = z.object({
  algorithm: z.literal('Ed25519'),
  key_id: z.string(),
  value: z.string(),
})
export type SignedDocument<P> = { payload: P; signature: z.infer<typeof documentSignature> }

const signed = <P extends z.ZodType>(payload: P) => z.object({ payload, signature: documentSignature })

/** The version of the code that created a document. `commit` is null when the build did not set one. */
export const codeVersion = z.object({ version: z.string(), commit: z.string().nullable() })

/**
 * The inputs of a decision, as hashes. A value that could be guessed (check outputs, identity) is hashed as SHA-256
 * over the canonical JSON of `[salt, value]` (sanctions matches without the reviewer's verdict), the workflow's config
 * over its canonical JSON, and evidence over the file as uploaded.
 */
export const decisionReceipt = z.object({
  type: z.literal('kyc.decision-receipt'),
  version: z.literal(1),
  app_id: appId,
  environment,
  session_id: sessionId,
  /** Number of the transition that made this decision, counted from the first transition of the session. */
  sequence: z.int().min(1),
  round: z.int().min(1),
  status: sessionStatus,
  decision_reason: decisionReason.nullable(),
  decided_at: timestamp,
  /** Null when the engine decided. `reviewed_by` is the reviewer's id, or null when an API key decided. */
  review: z.object({ reviewed_by: z.string().nullable(), reviewed_at: timestamp }).nullable(),
  salt: z.string().regex(/^[0-9a-f]{32}$/),
  workflow: z.object({ id: workflowId, version: z.int().min(1), config_sha256: sha256 }),
  evidence: z.array(z.object({ kind: z.string(), object_id: z.string(), sha256 })),
  identity_sha256: sha256,
  checks: z.array(
    z.object({
      kind: checkKind,
      status: checkStatus,
      /** Name and version of the models or rules that produced the outcome. */
      engine: engine.nullable(),
      output_sha256: sha256,
    }),
  ),
  /** The sanctions lists that were searched. */
  lists: z.array(z.object({ list: z.string(), version: z.string() })),
  code: codeVersion,
})
export type DecisionReceipt = z.infer<typeof decisionReceipt>
export const signedReceipt = signed(decisionReceipt)
export type SignedReceipt = z.infer<typeof signedReceipt>

/**
 * One service's part of a purge: what it deleted, and the rows per table that a recount after the deletion still found
 * (all 0).
 */
export const purgeConfirmation = z.object({
  service: z.string(),
  confirmed_at: timestamp,
  deleted: z.record(z.string(), z.int().min(0)),
  remaining: z.record(z.string(), z.int().min(0)),
})
export type PurgeConfirmation = z.infer<typeof purgeConfirmation>

export const purgeCertificate = z.object({
  type: z.literal('kyc.purge-certificate'),
  version: z.literal(1),
  app_id: appId,
  session_id: sessionId,
  purged_at: timestamp,
  completed_at: timestamp,
  vault: z.object({
    /** `never_made`: nothing personal was ever stored for the session. */
    data_key: z.enum(['destroyed', 'never_made']),
    files_deleted: z.int().min(0),
    files_remaining: z.literal(0),
  }),
  services: z.array(purgeConfirmation),
  code: codeVersion,
})
export type PurgeCertificate = z.infer<typeof purgeCertificate>
export const signedPurgeCertificate = signed(purgeCertificate)
export type SignedPurgeCertificate = z.infer<typeof signedPurgeCertificate>

/**
 * The newest entry of the audit log at one moment. Stored outside the database, it proves that entries 1 to `seq`
 * existed at that time with this content, because the hash of an entry covers all entries before it.
 */
export const auditHead = z.object({
  type: z.literal('kyc.audit-head'),
  version: z.literal(1),
  seq: z.int().min(1),
  /** Hash of entry `seq`. */
  hash: sha256,
  signed_at: timestamp,
})
export const signedAuditHead = signed(auditHead)
export type SignedAuditHead = z.infer<typeof signedAuditHead>

/**
 * An operator's statement that entries of the audit log are lost, for example after a backup was restored. Heads of
 * these entries that were signed earlier no longer count.
 */
export const auditLoss = z.object({
  type: z.literal('kyc.audit-loss'),
  version: z.literal(1),
  from_seq: z.int().min(1),
  to_seq: z.int().min(1),
  signed_at: timestamp,
})
export const signedAuditLoss = signed(auditLoss)
export type SignedAuditLoss = z.infer<typeof signedAuditLoss>

/** The services that must confirm a purge, in addition to the session service, before its certificate is issued. */
export const purgeParticipants = [
  'checks',
  'console',
  'face-biometrics',
  'flow',
  'sanctions-screening',
  'webhook-dispatcher',
] as const
export type PurgeParticipant = (typeof purgeParticipants)[number]

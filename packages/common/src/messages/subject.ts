import { z } from 'zod'
import { identity } from '../domain/identity.ts'

/**
 * The person as shown on the documents: the public identity and what other checks need in addition. Personal; always
 * sealed on the bus and in tables.
 */
export const subjectIdentity = z.object({
  identity,
  /** Unmasked; for the duplicate fingerprint and for reviewers. */
  document_number: z.string().nullable(),
  issuing_state: z.string().nullable(),
})
export type SubjectIdentity = z.infer<typeof subjectIdentity>

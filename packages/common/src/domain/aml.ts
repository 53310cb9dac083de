import { z } from 'zod'
import { timestamp } from './timestamp.ts'

/** The built-in sanctions lists (section 4); operators can add further lists. */
export const listIds = ['us_ofac_sdn', 'us_ofac_cons', 'un_sc', 'eu_fsf', 'uk_sanctions'] as const

export const listStatus = z.enum(['ok', 'stale', 'error', 'not_loaded'])

/** Why the last refresh of a list failed. The active version stays active. */
export const listFailure = z.object({
  /** A stable code: `download_failed`, `truncated`, `html`, `implausible_change` and others. */
  code: z.string(),
  message: z.string(),
  at: timestamp,
  /** Failed attempts since the last successful one. */
  attempts: z.int().min(1),
})
export type ListFailure = z.infer<typeof listFailure>

export const listInfo = z.object({
  list: z.string(),
  version: z.string(),
  fetched_at: timestamp,
  entity_count: z.int().min(0),
  status: listStatus,
  /** Present only while the last refresh of the list failed. */
  failure: listFailure.optional(),
})
export type ListInfo = z.infer<typeof listInfo>

/** A list with an active version, or a configured list that is `not_loaded`. */
export const listState = listInfo.extend({
  version: z.string().nullable(),
  fetched_at: timestamp.nullable(),
  /** Time of the last successful check of the source, whether or not it had a new version. */
  checked_at: timestamp.nullable(),
})
export type ListState = z.infer<typeof listState>

export const entityType = z.enum(['person', 'organization', 'vessel', 'aircraft'])
export type EntityType = z.infer<typeof entityType>

export const nameQuality = z.enum(['primary', 'alias', 'weak_alias'])
export type NameQuality = z.infer<typeof nameQuality>

/** The components of a score: word by word, the unmatched words, and each adjustment added or subtracted. */
export const matchExplanation = z.object({
  tokens: z.array(z.object({ query: z.string(), listed: z.string(), similarity: z.number() })),
  unmatched_query: z.array(z.string()),
  unmatched_listed: z.array(z.string()),
  adjustments: z.array(z.object({ code: z.string(), delta: z.number() })),
})

export const matchReview = z.object({
  status: z.enum(['unreviewed', 'true_positive', 'false_positive', 'inconclusive']),
  reviewed_by: z.string().nullable(),
  reviewed_at: timestamp.nullable(),
  note: z.string().nullable(),
})

export const amlMatch = z.object({
  match_id: z.string(),
  list: z.string(),
  list_version: z.string(),
  entity_id: z.string(),
  entity_type: entityType,
  name: z.string(),
  matched_name: z.string(),
  matched_name_type: nameQuality,
  score: z.number().min(0).max(1),
  name_score: z.number().min(0).max(1),
  date_of_birth_match: z.boolean().nullable(),
  dates_of_birth: z.array(z.string()),
  nationalities: z.array(z.string()),
  nationality_match: z.boolean().optional(),
  programs: z.array(z.string()),
  listed_on: z.string().nullable(),
  remarks: z.string().nullable(),
  source_url: z.string().nullable(),
  explanation: matchExplanation,
  /** Present in sessions only. */
  review: matchReview.optional(),
})
export type AmlMatch = z.infer<typeof amlMatch>

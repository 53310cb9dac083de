import { z } from 'zod'
import { timestamp } from './timestamp.ts'

/** The lists of section 4; further lists are welcome. */
export const listIds = ['us_ofac_sdn', 'us_ofac_cons', 'un_sc', 'eu_fsf', 'uk_sanctions'] as const

export const listStatus = z.enum(['ok', 'stale', 'error', 'not_loaded'])

/** Why a list could not be refreshed. What served before serves on. */
export const listFailure = z.object({
  /** Stable: `download_failed`, `truncated`, `html`, `implausible_change` and others. */
  code: z.string(),
  message: z.string(),
  at: timestamp,
  /** Failed attempts since the last good one. */
  attempts: z.int().min(1),
})
export type ListFailure = z.infer<typeof listFailure>

export const listInfo = z.object({
  list: z.string(),
  version: z.string(),
  fetched_at: timestamp,
  entity_count: z.int().min(0),
  status: listStatus,
  /** Only while the last attempt to refresh the list failed. */
  failure: listFailure.optional(),
})
export type ListInfo = z.infer<typeof listInfo>

/** A list that serves, or one that should and is `not_loaded`. */
export const listState = listInfo.extend({
  version: z.string().nullable(),
  fetched_at: timestamp.nullable(),
  /** When its source was last asked successfully, with or without news. */
  checked_at: timestamp.nullable(),
})
export type ListState = z.infer<typeof listState>

export const entityType = z.enum(['person', 'organization', 'vessel', 'aircraft'])
export type EntityType = z.infer<typeof entityType>

export const nameQuality = z.enum(['primary', 'alias', 'weak_alias'])
export type NameQuality = z.infer<typeof nameQuality>

/** The parts of a score: token by token, what stayed unmatched, and what was added or subtracted. */
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
  /** In sessions only. */
  review: matchReview.optional(),
})
export type AmlMatch = z.infer<typeof amlMatch>

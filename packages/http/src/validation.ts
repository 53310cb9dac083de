import { badRequest, type PublicError } from '@kyc/common'
import type { z } from 'zod'

type Issue = z.core.$ZodIssue

/** Parses one part of a request; a failure is a 400 whose message names the field. */
export function parsePart<S extends z.ZodType>(schema: S, value: unknown, part: string): z.output<S> {
  const result = schema.safeParse(value, { reportInput: true })
  if (result.success) return result.data
  throw fieldError(result.error.issues, part)
}

/** The first problem, as `field: what is wrong`. */
export function fieldError(issues: readonly Issue[], part: string): PublicError {
  const issue = issues[0]
  if (!issue) return badRequest(`${part}: is not valid`)
  const path = issue.path.map(String)
  if (issue.code === 'unrecognized_keys') {
    return badRequest(`${[...path, issue.keys[0]].join('.')}: is not a known field`)
  }
  return badRequest(`${path.length > 0 ? path.join('.') : part}: ${describe(issue)}`)
}

function describe(issue: Issue): string {
  if (issue.code === 'invalid_type') {
    return issue.input === undefined ? 'is required' : `must be of type ${issue.expected}`
  }
  if (issue.code === 'invalid_value') return `must be one of ${issue.values.map(String).join(', ')}`
  if (issue.code === 'too_big') return `must be at most ${issue.maximum}${unitOf(issue.origin)}`
  if (issue.code === 'too_small') return `must be at least ${issue.minimum}${unitOf(issue.origin)}`
  return issue.message
}

const unitOf = (origin: string) =>
  origin === 'string' ? ' characters long' : origin === 'array' ? ' entries' : ''

import { badRequest, notFound, type PublicError } from '@kyc/common'
import type { z } from 'zod'

type Issue = z.core.$ZodIssue

/**
 * Parses one part of a request. A failure is a 400 whose message names the field. Path parameters are looked up, not
 * validated: a value that cannot be an id is not found.
 */
export function parsePart<S extends z.ZodType>(schema: S, value: unknown, part: string): z.output<S> {
  const result = schema.safeParse(value, { reportInput: true })
  if (result.success) {
    const path = unstorablePath(result.data)
    if (path && part === 'path') throw notFound('path')
    if (path) {
      throw badRequest(`${path.join('.') || part}: must not hold U+0000 or unpaired surrogates`)
    }
    return result.data
  }
  throw part === 'path' ? notFound('path') : fieldError(result.error.issues, part)
}

/**
 * The path to text that a database or another system would reject or change: U+0000, or an unpaired surrogate. Null if
 * there is none. Without recursion, because a body may be nested as deep as its size allows.
 */
function unstorablePath(value: unknown): string[] | null {
  const left: { value: unknown; path: string[] }[] = [{ value, path: [] }]
  for (let item = left.pop(); item; item = left.pop()) {
    const { value: held, path } = item
    if (typeof held === 'string') {
      if (held.includes('\u0000') || !held.isWellFormed()) return path
    } else if (typeof held === 'object' && held !== null && !ArrayBuffer.isView(held)) {
      for (const [name, member] of Object.entries(held)) {
        if (name.includes('\u0000') || !name.isWellFormed()) return path
        // A truncated path is enough to find the field; longer ones would only cost memory.
        left.push({ value: member, path: path.length < 8 ? [...path, name] : path })
      }
    }
  }
  return null
}

/** The first issue, as `field: problem`. */
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

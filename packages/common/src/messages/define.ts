import type { z } from 'zod'

/** Something that happened, published to all subscribers. Named in the past tense: `session.submitted`. */
export type EventContract<P extends z.ZodType = z.ZodType> = {
  kind: 'event'
  name: string
  /** Incremented only by an incompatible change; both versions are then published for one release. */
  version: number
  payload: P
}

/** A request to one service, with a response within a deadline. Named in the imperative: `face.compare`. */
export type RequestContract<Q extends z.ZodType = z.ZodType, A extends z.ZodType = z.ZodType> = {
  kind: 'request'
  name: string
  version: number
  request: Q
  response: A
  deadline_ms: number
}

export const defineEvent = <P extends z.ZodType>(
  name: string,
  version: number,
  payload: P,
): EventContract<P> => ({ kind: 'event', name, version, payload })

export const defineRequest = <Q extends z.ZodType, A extends z.ZodType>(
  name: string,
  version: number,
  request: Q,
  response: A,
  options: { deadline_ms?: number } = {},
): RequestContract<Q, A> => ({
  kind: 'request',
  name,
  version,
  request,
  response,
  deadline_ms: options.deadline_ms ?? 10_000,
})

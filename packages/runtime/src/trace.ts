import { randomHex } from './ids.ts'

/** W3C Trace Context, level 1, section 3.2: version 00. */
const traceparentForm = /^00-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}$/

export const isTraceparent = (value: unknown): value is string =>
  typeof value === 'string' && traceparentForm.test(value)

/** A traceparent of a new, sampled trace. */
export const newTraceparent = (): string => `00-${randomHex(16)}-${randomHex(8)}-01`

/** A traceparent of the same trace with a new span id, to be sent to the next hop. */
export const childTraceparent = (parent: string): string =>
  `${parent.slice(0, 36)}${randomHex(8)}${parent.slice(52)}`

export const traceIdOf = (traceparent: string): string => traceparent.slice(3, 35)

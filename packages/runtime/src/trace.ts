import { randomHex } from './ids.ts'

/** W3C Trace Context, level 1, section 3.2: version 00. */
const traceparentForm = /^00-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}$/

export const isTraceparent = (value: unknown): value is string =>
  typeof value === 'string' && traceparentForm.test(value)

/** A new trace, sampled. */
export const newTraceparent = (): string => `00-${randomHex(16)}-${randomHex(8)}-01`

/** The same trace, a new span: what is sent on to the next hop. */
export const childTraceparent = (parent: string): string =>
  `${parent.slice(0, 36)}${randomHex(8)}${parent.slice(52)}`

export const traceIdOf = (traceparent: string): string => traceparent.slice(3, 35)

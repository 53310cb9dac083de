import type { z } from 'zod'
import type { ConsoleAction } from '../domain/console-permissions.ts'
import type { Environment } from '../domain/ids.ts'
import type { ErrorCode } from '../errors.ts'

/** The services that own endpoints: the gateway routes by this. */
export const serviceNames = [
  'gateway',
  'session',
  'checks',
  'face-biometrics',
  'sanctions-screening',
  'webhook-dispatcher',
  'flow',
  'console',
] as const
export type ServiceName = (typeof serviceNames)[number]

/** Who may call: a client's backend with its key, the person holding a flow token, a console user, or anyone. */
export type Caller = 'api_key' | 'flow_token' | 'console' | 'anyone'

/** Who may call a console endpoint; checked in one place before anything of the request is read. */
export type ConsoleAccess = {
  /**
   * How far the person must have come: `none` (not signed in), `begun` (the password was right; the second factor may
   * be outstanding), `full`.
   */
  session: 'none' | 'begun' | 'full'
  /** What the role must allow; null: everybody, about themselves. */
  action: ConsoleAction | null
  /** The password (and second factor) must have been given again within the last minutes. */
  reauthenticate?: true
}

/** One uploaded file of a multipart body. */
export type FilePart = {
  required: boolean
  max_bytes: number
  /** How many parts of this name; 1 unless said. */
  max_count?: number
  description: string
}

type Method = 'get' | 'post' | 'put' | 'patch' | 'delete'

/** One HTTP operation: route, validation, gateway routing, OpenAPI, client and conformance tests derive from it. */
export type Endpoint = {
  method: Method
  /** Express form: `/v1/sessions/:session_id`. */
  path: `/${string}`
  service: ServiceName
  caller: Caller
  /** Only for keys of this environment; to any other the path does not exist. */
  environment?: Environment
  /** Of console endpoints, and of no other. */
  access?: ConsoleAccess
  tag: string
  summary: string
  params?: z.ZodType
  query?: z.ZodType
  body?: z.ZodType
  /** A multipart body: `fields` are its text parts, `files` its files. Excludes `body`. */
  multipart?: { fields?: z.ZodType; files: Record<string, FilePart> }
  success: {
    status: number
    body: z.ZodType | null
    /** JSON unless said; every other body is written by the handler itself. */
    type?: 'json' | 'html' | 'ndjson' | 'binary' | 'event_stream'
  }
  /** Beside those that every endpoint of its kind of caller may give. */
  errors: readonly ErrorCode[]
  /** Its answer carries an `etag`; asked with `if-none-match`, an unchanged one is 304 without a body. */
  revalidates?: boolean
  /** It is to end: since when it is deprecated and from when it may be gone (RFC 3339), and where that is explained. */
  deprecated?: { since: string; sunset: string; link?: string }
  /**
   * Takes an `Idempotency-Key`: the same key and body give the first answer again. It is `stored`, sealed, or, where it
   * follows from the body alone and nothing may be stored, `recomputed`.
   */
  idempotent?: 'stored' | 'recomputed'
  /** Answers when something changes, or after a while: one that waits does not keep its service busy. */
  long_poll?: true
  /** Counted against the key's limit for checks with images as well. */
  costly?: boolean
  /** The largest body in bytes; refused before it is read. Default {@link defaultMaxBodyBytes}. */
  max_body_bytes?: number
}

export type Contract = Record<string, Endpoint>

/** `const` keeps literal methods and paths, so a missing handler is a compile error. */
export const defineContract = <const C extends Contract>(contract: C): C => contract

export const defaultMaxBodyBytes = 64 * 1024
/** 10 MB is 10,485,760 bytes. */
export const maxImageBytes = 10 * 1024 * 1024
/** Room for the boundaries, headers and text parts of a multipart body. */
export const multipartOverheadBytes = 64 * 1024

/** The codes every endpoint may answer, by who calls. */
export const commonErrors: Record<Caller, readonly ErrorCode[]> = {
  api_key: ['unauthorized', 'forbidden', 'rate_limited', 'internal'],
  flow_token: ['not_found', 'rate_limited', 'internal'],
  console: ['unauthorized', 'forbidden', 'rate_limited', 'internal'],
  anyone: ['rate_limited', 'internal'],
}

/** What an `Idempotency-Key` may be refused with. */
const keyErrors = ['bad_request', 'conflict'] as const

export const errorsOf = (endpoint: Endpoint): ErrorCode[] => [
  ...new Set([
    ...endpoint.errors,
    ...(endpoint.idempotent ? keyErrors : []),
    ...commonErrors[endpoint.caller],
  ]),
]

import type { z } from 'zod'
import type { ConsoleAction } from '../domain/console-permissions.ts'
import type { Environment } from '../domain/ids.ts'
import type { ErrorCode } from '../errors.ts'

/** The services that own endpoints; the gateway routes by these names. */
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

/** Who can call: a client's backend with its key, the holder of a flow token, a console user, or anyone. */
export type Caller = 'api_key' | 'flow_token' | 'console' | 'anyone'

/** Who can call a console endpoint; checked in one place before the rest of the request is read. */
export type ConsoleAccess = {
  /**
   * The required progress of the sign-in: `none` (not signed in), `begun` (the password was correct; the second factor
   * may be missing), `full`.
   */
  session: 'none' | 'begun' | 'full'
  /** The action that the role must allow; null: every user, for their own data. */
  action: ConsoleAction | null
  /** Requires a reauthentication (password and second factor) within the last minutes. */
  reauthenticate?: true
}

/** One uploaded file of a multipart body. */
export type FilePart = {
  required: boolean
  max_bytes: number
  /** Maximum number of parts with this name; default 1. */
  max_count?: number
  description: string
}

type Method = 'get' | 'post' | 'put' | 'patch' | 'delete'

/**
 * One HTTP operation. Routing, validation, the gateway's route table, OpenAPI, the client and the conformance tests
 * derive from it.
 */
export type Endpoint = {
  method: Method
  /** Express form: `/v1/sessions/:session_id`. */
  path: `/${string}`
  service: ServiceName
  caller: Caller
  /** Only for keys of this environment; for all others the path does not exist. */
  environment?: Environment
  /** For console endpoints only. */
  access?: ConsoleAccess
  tag: string
  summary: string
  params?: z.ZodType
  query?: z.ZodType
  body?: z.ZodType
  /** A multipart body: `fields` are its text parts, `files` its files. Mutually exclusive with `body`. */
  multipart?: { fields?: z.ZodType; files: Record<string, FilePart> }
  success: {
    status: number
    body: z.ZodType | null
    /** Default JSON; the handler itself writes every other type. */
    type?: 'json' | 'html' | 'ndjson' | 'binary' | 'event_stream'
  }
  /** In addition to the errors that are common to all endpoints of its kind of caller. */
  errors: readonly ErrorCode[]
  /** The response carries an `etag`; a request with a matching `if-none-match` gets 304 without a body. */
  revalidates?: boolean
  /** Deprecated: since when, when it will be removed at the earliest (RFC 3339), and a link to the explanation. */
  deprecated?: { since: string; sunset: string; link?: string }
  /**
   * Accepts an `Idempotency-Key`: the same key and body return the first response again. The response is `stored`,
   * sealed, or, where it depends on the body alone and nothing may be stored, `recomputed`.
   */
  idempotent?: 'stored' | 'recomputed'
  /** Responds when something changes, or after a timeout; a waiting request does not count as load on its service. */
  long_poll?: true
  /** Also counted against the key's limit for image checks. */
  costly?: boolean
  /**
   * The maximum body size in bytes; a larger body is rejected before it is read. Default {@link defaultMaxBodyBytes}.
   */
  max_body_bytes?: number
}

export type Contract = Record<string, Endpoint>

/** `const` keeps literal methods and paths, so a missing handler is a compile error. */
export const defineContract = <const C extends Contract>(contract: C): C => contract

export const defaultMaxBodyBytes = 64 * 1024
/** 10 MB is 10,485,760 bytes. */
export const maxImageBytes = 10 * 1024 * 1024
/** Allowance for the boundaries, headers and text parts of a multipart body. */
export const multipartOverheadBytes = 64 * 1024

/** The error codes that every endpoint can return, by kind of caller. */
export const commonErrors: Record<Caller, readonly ErrorCode[]> = {
  api_key: ['unauthorized', 'forbidden', 'rate_limited', 'internal'],
  flow_token: ['not_found', 'rate_limited', 'internal'],
  console: ['unauthorized', 'forbidden', 'rate_limited', 'internal'],
  anyone: ['rate_limited', 'internal'],
}

/** The error codes that an `Idempotency-Key` can cause. */
const keyErrors = ['bad_request', 'conflict'] as const

export const errorsOf = (endpoint: Endpoint): ErrorCode[] => [
  ...new Set([
    ...endpoint.errors,
    ...(endpoint.idempotent ? keyErrors : []),
    ...commonErrors[endpoint.caller],
  ]),
]

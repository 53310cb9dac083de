import { type Contract, defaultMaxBodyBytes, type Endpoint, notFound, unauthorized } from '@kyc/common'
import type { Logger, Metrics } from '@kyc/runtime'
import type { Request, Response, Router } from 'express'
import type { z } from 'zod'
import { announceEnd, sendAnswer } from './answer.ts'
import { readJson } from './body.ts'
import type { ConsoleAuthority, ConsoleCaller, ConsoleCallerOf } from './console-caller.ts'
import { beginContext, type RequestContext } from './context.ts'
import { sendError } from './errors.ts'
import { answerOnce, idempotencyHeader, type KeyedRequest } from './idempotency/answer-once.ts'
import { bodyDigest } from './idempotency/body-digest.ts'
import type { Replies } from './idempotency/replies.ts'
import { type CallerIdentity, type IdentityVerifier, identityHeader } from './identity.ts'
import { readMultipart, type UploadedFiles } from './multipart.ts'
import { parsePart } from './validation.ts'

type Output<S> = S extends z.ZodType ? z.output<S> : undefined
type FilesOf<E extends Endpoint> = E extends { multipart: { files: infer F } }
  ? { [K in keyof F]: UploadedFiles[string] }
  : undefined

/** The validated parts of the request that the contract declares. */
export type Input<E extends Endpoint> = {
  params: E extends { params: infer S } ? Output<S> : undefined
  query: E extends { query: infer S } ? Output<S> : undefined
  body: E extends { body: infer S }
    ? Output<S>
    : E extends { multipart: { fields: infer S } }
      ? Output<S>
      : undefined
  files: FilesOf<E>
}

/** The caller as authenticated by the gateway, in the type that the endpoint requires. */
export type CallerOf<E extends Endpoint> = E['caller'] extends 'console'
  ? ConsoleCallerOf<E>
  : Extract<
      CallerIdentity,
      { type: E['caller'] extends 'api_key' ? 'api_key' : E['caller'] extends 'flow_token' ? 'flow' : string }
    >

export type CallContext<E extends Endpoint = Endpoint> = RequestContext & {
  caller: CallerOf<E>
  /** For an endpoint that accepts an Idempotency-Key, if the request has one. */
  keyed?: KeyedRequest
}

type Success<E extends Endpoint> = E['success'] extends {
  type: 'html' | 'ndjson' | 'binary' | 'event_stream'
}
  ? void
  : E['success']['body'] extends z.ZodType
    ? z.input<E['success']['body']>
    : void

/** Handlers with other than JSON responses write to `context.response` themselves and return nothing. */
export type Handler<E extends Endpoint> = (input: Input<E>, context: CallContext<E>) => Promise<Success<E>>
export type Handlers<C extends Contract> = { [K in keyof C]: Handler<C[K]> }

export type MountOptions = {
  verifyIdentity: IdentityVerifier
  logger: Logger
  metrics: Metrics
  /** Authorizes the caller of a console endpoint, or throws. Required when a contract has such endpoints. */
  authorizeConsole?: ConsoleAuthority
  /** Stores the responses to requests with an Idempotency-Key. Required when a contract has such endpoints. */
  replies?: Replies
}

/** Adds a route for every endpoint of `contract`. A missing handler is a compile error. */
export function mount<C extends Contract>(
  router: Router,
  contract: C,
  handlers: Handlers<C>,
  options: MountOptions,
): void {
  const durations = options.metrics.histogram(
    'http_request_duration_seconds',
    'Time to answer, by operation',
    ['operation', 'status'],
  )
  for (const [operation, endpoint] of Object.entries(contract)) {
    const handle = handlers[operation] as Handler<Endpoint>
    if (endpoint.idempotent && !options.replies) throw new Error(`${operation} was mounted without replies`)
    router[endpoint.method](endpoint.path, async (request: Request, response: Response) => {
      const end = durations.startTimer({ operation })
      response.once('close', () => end({ status: String(response.statusCode) }))
      const context = beginContext(request, response, options.logger, operation)
      announceEnd(endpoint, response)
      try {
        const identity = await options.verifyIdentity(headerOf(request, identityHeader))
        const caller = await callerOf(endpoint, identity, context, options)
        const input = await readInput(endpoint, request, context)
        const run = (keyed?: KeyedRequest) =>
          handle(input as Input<Endpoint>, { ...context, caller, keyed } as CallContext)
        const key = endpoint.idempotent && headerOf(request, idempotencyHeader)
        if (key === undefined || !options.replies || identity.type !== 'api_key') {
          sendAnswer(endpoint, request, response, await run())
          return
        }
        await answerOnce(options.replies, {
          endpoint,
          request,
          response,
          caller: identity,
          key,
          path: pathOf(endpoint, request),
          digest: await digestOf(endpoint, input, context),
          run,
        })
      } catch (error) {
        sendError(response, error, context.logger)
      }
    })
  }
}

const headerOf = (request: Request, name: string): string | undefined => {
  const value = request.headers[name]
  return Array.isArray(value) ? undefined : value
}

async function callerOf(
  endpoint: Endpoint,
  identity: CallerIdentity,
  context: RequestContext,
  options: MountOptions,
): Promise<CallerIdentity | ConsoleCaller> {
  if (endpoint.caller !== 'console') {
    requireCaller(endpoint, identity)
    return identity
  }
  if (!options.authorizeConsole) throw new Error('a console endpoint was mounted without an authority')
  return options.authorizeConsole(endpoint, identity.type === 'flow' ? identity.address : null, context)
}

function requireCaller(endpoint: Endpoint, caller: CallerIdentity): void {
  const wanted = endpoint.caller === 'api_key' ? 'api_key' : 'flow'
  if (endpoint.caller !== 'anyone' && caller.type !== wanted) throw unauthorized()
  if (endpoint.environment && (caller.type !== 'api_key' || caller.environment !== endpoint.environment)) {
    throw notFound('path')
  }
}

/** The endpoint's path with the request's parameter values, in one form regardless of how the caller wrote it. */
const pathOf = (endpoint: Endpoint, request: Request): string =>
  endpoint.path.replace(/:(\w+)/g, (_, name: string) => String(request.params[name]))

function digestOf(endpoint: Endpoint, input: RawInput, { rawBody }: RequestContext): Promise<Buffer> {
  const multipart = endpoint.multipart && { fields: input.body, files: input.files ?? {} }
  return bodyDigest(rawBody, multipart)
}

type RawInput = { params: unknown; query: unknown; body: unknown; files: UploadedFiles | undefined }

async function readInput(endpoint: Endpoint, request: Request, context: RequestContext): Promise<RawInput> {
  const params = endpoint.params && parsePart(endpoint.params, request.params, 'path')
  const query = endpoint.query && parsePart(endpoint.query, request.query, 'query')
  if (endpoint.multipart) {
    const { fields, files } = await readMultipart(request, endpoint.multipart.files)
    const body = endpoint.multipart.fields && parsePart(endpoint.multipart.fields, fields, 'body')
    return { params, query, body, files }
  }
  if (!endpoint.body) return { params, query, body: undefined, files: undefined }
  const { raw, value } = await readJson(request, endpoint.max_body_bytes ?? defaultMaxBodyBytes)
  context.rawBody = raw
  return { params, query, body: parsePart(endpoint.body, value, 'body'), files: undefined }
}

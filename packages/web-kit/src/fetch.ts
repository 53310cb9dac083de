import type { Contract, Endpoint } from '@kyc/common'
import type { z } from 'zod'

/** A response outside 2xx: the envelope's code and message, or `network` if there was no response. */
export class ApiError extends Error {
  readonly status: number
  readonly code: string
  readonly headers: Headers

  constructor(status: number, code: string, message: string, headers: Headers = new Headers()) {
    super(message)
    this.name = 'ApiError'
    this.status = status
    this.code = code
    this.headers = headers
  }

  /** The value of `retry-after`, if any. */
  get retryAfterSeconds(): number | null {
    const seconds = Number(this.headers.get('retry-after'))
    return seconds > 0 ? seconds : null
  }
}

type Method = Endpoint['method']
type EndpointsOf<C extends Contract, M extends Method> = Extract<C[keyof C], { method: M }>
export type PathOf<C extends Contract, M extends Method> = EndpointsOf<C, M>['path']
type EndpointAt<C extends Contract, M extends Method, P> = Extract<EndpointsOf<C, M>, { path: P }>

type Part<E, K extends string> = E extends Record<K, infer S extends z.ZodType> ? z.input<S> : undefined
/** A query is text on the wire; here its values may also have their parsed type. */
type QueryOf<S extends z.ZodType> = {
  [K in keyof z.input<S>]?: z.input<S>[K] | (K extends keyof z.output<S> ? z.output<S>[K] : never) | null
}
type Sent<E> = {
  [K in 'params' | 'body' as undefined extends Part<E, K> ? never : K]: Part<E, K>
} & (E extends { query: infer S extends z.ZodType } ? { query?: QueryOf<S> } : unknown) & {
    signal?: AbortSignal
    /** A multipart body; the browser sets its boundary. */
    form?: FormData
  }
export type AnswerOf<E> = E extends { success: { body: infer B } }
  ? B extends z.ZodType
    ? z.output<B>
    : undefined
  : never

/** The response of the endpoint at this method and path of the contract. */
export type Answer<C extends Contract, M extends Method, P extends PathOf<C, M>> = AnswerOf<
  EndpointAt<C, M, P>
>

type Call<C extends Contract, M extends Method> = <P extends PathOf<C, M>>(
  path: P,
  input: Sent<EndpointAt<C, M, P>>,
) => Promise<Answer<C, M, P>>
export type TypedFetch<C extends Contract> = { [M in Method]: Call<C, M> }

export type FetchOptions = {
  /** Prepended to every path; empty on the page's own origin. */
  baseUrl?: string
  /** Called before each request, for headers such as the CSRF token and the selected app. */
  headers?: (method: Method) => Record<string, string>
  /** Called with every failure before it is thrown, e.g. to navigate to the sign-in page on 401. */
  onError?: (error: ApiError, path: string) => void
  /** Can resolve a rejection, e.g. by prompting for the password again; true sends the request once more. */
  recover?: (error: ApiError, path: string) => Promise<boolean>
  fetch?: typeof fetch
}

type Loose = {
  params?: Record<string, unknown>
  query?: Record<string, unknown>
  body?: unknown
  form?: FormData
  signal?: AbortSignal
}

/** Fills the `:name` parts of an Express path; throws if one is missing. */
export function fillPath(path: string, params: Record<string, unknown> = {}): string {
  return path.replace(/:(\w+)/g, (_, name: string) => {
    const value = params[name]
    if (value === undefined || value === '') throw new Error(`${path}: ${name} is missing`)
    return encodeURIComponent(String(value))
  })
}

/** `?a=1&b=2`, without undefined, null and empty values; arrays are joined with commas. */
export function searchOf(query: Record<string, unknown> = {}): string {
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    if (value === undefined || value === null || value === '') continue
    search.set(name, Array.isArray(value) ? value.join(',') : String(value))
  }
  const text = search.toString()
  return text === '' ? '' : `?${text}`
}

async function errorOf(response: Response): Promise<ApiError> {
  const body: unknown = await response.json().catch(() => null)
  const error = (body as { error?: { code?: unknown; message?: unknown } } | null)?.error
  return new ApiError(
    response.status,
    typeof error?.code === 'string' ? error.code : 'internal',
    typeof error?.message === 'string' ? error.message : `The server answered ${response.status}.`,
    response.headers,
  )
}

async function answerOf(response: Response): Promise<unknown> {
  if (response.status === 204) return undefined
  const type = response.headers.get('content-type') ?? ''
  return type.includes('json') && !type.includes('ndjson') ? response.json() : response.text()
}

/**
 * `api.get('/v1/sessions/:session_id', { params })`, typed by the contract alone: import the contract with `import
 * type`, so that no schema is bundled into the page. A path or method outside the contract does not compile.
 *
 * Throws {@link ApiError} for every response outside 2xx, and with code `network` if the server was not reached.
 */
export function typedFetch<C extends Contract>(options: FetchOptions = {}): TypedFetch<C> {
  const send = async (method: Method, path: string, input: Loose): Promise<Response | ApiError> => {
    const url = `${options.baseUrl ?? ''}${fillPath(path, input.params)}${searchOf(input.query)}`
    const json = input.form === undefined && input.body !== undefined
    try {
      const response = await (options.fetch ?? fetch)(url, {
        method: method.toUpperCase(),
        headers: {
          accept: 'application/json',
          ...(json ? { 'content-type': 'application/json' } : {}),
          ...options.headers?.(method),
        },
        credentials: 'same-origin',
        ...(input.signal ? { signal: input.signal } : {}),
        ...(json ? { body: JSON.stringify(input.body) } : input.form ? { body: input.form } : {}),
      })
      return response.ok ? response : await errorOf(response)
    } catch (cause) {
      if (input.signal?.aborted) throw cause
      return new ApiError(0, 'network', 'The server could not be reached.')
    }
  }
  const call = (method: Method) => async (path: string, input: Loose) => {
    let result = await send(method, path, input)
    if (result instanceof ApiError && (await options.recover?.(result, path))) {
      result = await send(method, path, input)
    }
    if (result instanceof ApiError) {
      options.onError?.(result, path)
      throw result
    }
    return answerOf(result)
  }
  const methods = ['get', 'post', 'put', 'patch', 'delete'] as const
  return Object.fromEntries(methods.map((method) => [method, call(method)])) as unknown as TypedFetch<C>
}

import { type allEndpoints, type Endpoint, type ErrorCode, errorStatus, errorsOf } from '@kyc/common'
import { errorExamples, operationExamples } from './examples.ts'
import { type Json, schemaOf } from './schemas.ts'

type Named = (typeof allEndpoints)[number]

const header = (name: string): Json => ({ $ref: `#/components/headers/${name}` })

/** One operation of the document: its inputs, its response, and every error code it can return. */
export function operationOf(endpoint: Named): Json {
  const codes = errorsOf(endpoint)
  const limited = codes.includes('rate_limited')
  return {
    operationId: endpoint.operationId,
    summary: endpoint.summary,
    tags: [endpoint.tag],
    ...(endpoint.deprecated ? { deprecated: true } : {}),
    security: endpoint.caller === 'api_key' ? [{ apiKey: [] }] : [],
    parameters: [
      ...parametersOf(endpoint, 'params', 'path'),
      ...parametersOf(endpoint, 'query', 'query'),
      ...(endpoint.idempotent ? [idempotencyKey] : []),
      ...(endpoint.revalidates ? [ifNoneMatch] : []),
    ],
    ...requestBodyOf(endpoint),
    responses: {
      [endpoint.success.status]: { ...successOf(endpoint), headers: headersOf(endpoint, limited) },
      ...(endpoint.revalidates
        ? { 304: { description: 'Unchanged', headers: { 'x-request-id': header('RequestId') } } }
        : {}),
      ...errorResponses(codes, endpoint.success.type === 'html'),
    },
    'x-error-codes': codes,
  }
}

const idempotencyKey: Json = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description:
    'For 24 hours the same key with the same body gives the first answer again; with another body it is `conflict`.',
  schema: { type: 'string', minLength: 1, maxLength: 255 },
}

const ifNoneMatch: Json = {
  name: 'If-None-Match',
  in: 'header',
  required: false,
  description:
    'The `etag` of an answer that you have: when it still holds, the answer is 304 without a body.',
  schema: { type: 'string' },
}

function headersOf(endpoint: Endpoint, limited: boolean): Json {
  const limits = {
    'ratelimit-limit': header('RateLimitLimit'),
    'ratelimit-remaining': header('RateLimitRemaining'),
    'ratelimit-reset': header('RateLimitReset'),
  }
  return {
    'x-request-id': header('RequestId'),
    ...(endpoint.revalidates ? { etag: header('ETag') } : {}),
    ...(limited && endpoint.caller !== 'anyone' ? limits : {}),
    ...(endpoint.idempotent ? { 'idempotent-replayed': header('IdempotentReplayed') } : {}),
  }
}

function parametersOf(endpoint: Endpoint, part: 'params' | 'query', place: 'path' | 'query'): Json[] {
  const schema = endpoint[part]
  if (!schema) return []
  const { properties = {}, required = [] } = schemaOf(schema, 'input') as {
    properties?: Record<string, Json>
    required?: string[]
  }
  return Object.entries(properties).map(([name, item]) => ({
    name,
    in: place,
    required: place === 'path' || required.includes(name),
    schema: item,
  }))
}

function requestBodyOf(endpoint: Named): Json {
  if (endpoint.body) {
    const example = operationExamples[endpoint.operationId]?.request
    const media = { schema: schemaOf(endpoint.body, 'input'), ...(example === undefined ? {} : { example }) }
    // An absent body becomes an empty object, so the body is required only where an empty object is invalid.
    const required = !endpoint.body.safeParse({}).success
    return { requestBody: { required, content: { 'application/json': media } } }
  }
  if (!endpoint.multipart) return {}
  const { fields, files } = endpoint.multipart
  const text = fields ? (schemaOf(fields, 'input') as { properties?: Json; required?: string[] }) : {}
  const binary = (description: string) => ({
    type: 'string',
    contentMediaType: 'application/octet-stream',
    description,
  })
  const parts = Object.entries(files).map(([name, part]) => [
    name,
    part.max_count
      ? { type: 'array', maxItems: part.max_count, items: binary(part.description) }
      : binary(part.description),
  ])
  const required = Object.entries(files)
    .filter(([, part]) => part.required)
    .map(([name]) => name)
  const schema = {
    type: 'object',
    properties: { ...text.properties, ...Object.fromEntries(parts) },
    required: [...(text.required ?? []), ...required],
    additionalProperties: false,
  }
  return { requestBody: { required: true, content: { 'multipart/form-data': { schema } } } }
}

const contentTypes = {
  json: 'application/json',
  ndjson: 'application/x-ndjson',
  html: 'text/html',
  binary: 'application/octet-stream',
  event_stream: 'text/event-stream',
} as const

function successOf(endpoint: Named): Json {
  const { success } = endpoint
  if (success.type === 'html')
    return { description: 'A page', content: { 'text/html': { schema: { type: 'string' } } } }
  if (!success.body) return { description: 'Done' }
  const example = operationExamples[endpoint.operationId]?.response
  const media = { schema: schemaOf(success.body, 'output'), ...(example === undefined ? {} : { example }) }
  return { description: 'OK', content: { [contentTypes[success.type ?? 'json']]: media } }
}

function errorResponses(codes: readonly ErrorCode[], asPage: boolean): Record<string, Json> {
  const responses = Object.fromEntries(
    codes.map((code) => [errorStatus[code], errorResponse(code, { asPage })]),
  )
  // A service is unavailable or full: the code is `internal`, and `retry-after` gives the delay.
  return {
    ...responses,
    ...(codes.includes('internal') ? { 503: errorResponse('internal', { unavailable: true }) } : {}),
  }
}

function errorResponse(
  code: ErrorCode,
  { unavailable = false, asPage = false }: { unavailable?: boolean; asPage?: boolean },
): Json {
  const { meaning, message } = errorExamples[code]
  const retry = unavailable || code === 'rate_limited' || code === 'conflict'
  return {
    description: `\`${code}\`: ${unavailable ? 'Not available at the moment; safe to retry.' : meaning}`,
    headers: {
      'x-request-id': header('RequestId'),
      ...(retry ? { 'retry-after': header('RetryAfter') } : {}),
    },
    content: {
      'application/json': {
        schema: { $ref: '#/components/schemas/Error' },
        example: { error: { code, message } },
      },
      // A browser that navigates gets an HTML page.
      ...(asPage ? { 'text/html': { schema: { type: 'string' } } } : {}),
    },
  }
}

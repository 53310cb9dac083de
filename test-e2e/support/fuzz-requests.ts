import { type Endpoint, maxLivenessFrames } from '@kyc/common'
import fc, { type Arbitrary } from 'fast-check'
import { z } from 'zod'
import { hostileBodies, nearlyValidOf, pathOf, queryOf, validOf } from './fuzz-arbitraries.ts'
import { multipartOf } from './multipart.ts'
import { mutated } from './mutate.ts'
import type { RawRequest } from './raw-request.ts'

export type Named = Endpoint & { operationId: string }

const json = { 'content-type': 'application/json' }
const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS', 'TRACE', 'PROPFIND']

const hostileContent = fc.record({
  headers: fc.constantFrom<Record<string, string>>(
    json,
    { 'content-type': 'application/json; charset=utf-16' },
    { 'content-type': 'text/plain' },
    { 'content-type': 'multipart/form-data' },
    { 'content-type': 'multipart/form-data; boundary=x' },
    { ...json, 'content-encoding': 'gzip' },
    { ...json, 'content-encoding': 'br' },
    {},
  ),
  body: hostileBodies,
})

const strangeHeaders = fc.oneof(
  { weight: 6, arbitrary: fc.constant({}) },
  fc.constantFrom<Record<string, string>>(
    { 'idempotency-key': 'same' },
    { 'idempotency-key': 'x'.repeat(300) },
    { 'x-kyc-identity': 'eyJhbGciOiJub25lIn0.e30.' },
    { 'x-http-method-override': 'DELETE' },
    { 'accept-language': 'x'.repeat(4_000) },
    { 'x-forwarded-host': 'evil.example' },
    { connection: 'x-api-key, x-kyc-identity' },
    { cookie: `a=${'b'.repeat(3_000)}` },
    { range: 'bytes=0-1' },
    { traceparent: '00-zz-zz-zz' },
    { origin: 'https://evil.example' },
  ),
)

/** A multipart body: its fields valid or nearly valid, its files real, mutated or noise. */
function formOf(multipart: NonNullable<Endpoint['multipart']>, photo: Buffer) {
  const fields = multipart.fields ?? z.object({})
  const file = fc.oneof(
    { weight: 1, arbitrary: fc.constant(photo) },
    { weight: 6, arbitrary: mutated(photo) },
    { weight: 3, arbitrary: fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)) },
  )
  return fc
    .tuple(
      fc.oneof({ weight: 3, arbitrary: validOf(fields) }, nearlyValidOf(fields)),
      fc.array(fc.tuple(fc.constantFrom(...Object.keys(multipart.files), 'x'), file), {
        maxLength: maxLivenessFrames + 2,
        size: 'small',
      }),
      fc.boolean(),
    )
    .map(([values, files, cut]) => multipartOf(values, files, cut))
}

/** Bodies of an endpoint with their headers: valid, nearly valid, hostile. */
function contentOf(
  endpoint: Endpoint,
  photo: Buffer,
): Arbitrary<{ headers: Record<string, string>; body: Buffer | null }> {
  if (endpoint.multipart)
    return fc.oneof({ weight: 4, arbitrary: formOf(endpoint.multipart, photo) }, hostileContent)
  if (!endpoint.body)
    return fc.oneof({ weight: 5, arbitrary: fc.constant({ headers: {}, body: null }) }, hostileContent)
  const asJson = (value: unknown) => ({ headers: json, body: Buffer.from(JSON.stringify(value) ?? 'null') })
  return fc.oneof(
    { weight: 4, arbitrary: validOf(endpoint.body).map(asJson) },
    { weight: 4, arbitrary: nearlyValidOf(endpoint.body).map(asJson) },
    { weight: 2, arbitrary: hostileContent },
  )
}

/** Requests of an endpoint's contract, without credentials; `known`: real ids, by the name of the path parameter. */
export const requestOf = (
  endpoint: Named,
  known: Readonly<Record<string, readonly string[]>>,
  photo: Buffer,
): Arbitrary<RawRequest> =>
  fc
    .record({
      method: fc.oneof(
        { weight: 12, arbitrary: fc.constant(endpoint.method.toUpperCase()) },
        fc.constantFrom(...methods),
      ),
      path: pathOf(endpoint, known),
      query: queryOf(endpoint),
      content: contentOf(endpoint, photo),
      extra: strangeHeaders,
      // Distinct addresses, so that guesses at links do not share one rate limit.
      address: fc.ipV4(),
    })
    .map(({ method, path, query, content, extra, address }) => ({
      method,
      path: query === '' ? path : `${path}?${query}`,
      headers: { 'x-forwarded-for': address, ...content.headers, ...extra },
      body: content.body,
    }))

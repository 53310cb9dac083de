import { expect, test } from '@jest/globals'
import { allConsoleEndpoints } from './console/index.ts'
import { allEndpoints } from './index.ts'
import { metadata } from './parts.ts'

test('no two endpoints share a method and path', () => {
  const routes = allEndpoints.map((endpoint) => `${endpoint.method} ${endpoint.path.replace(/:\w+/g, ':')}`)
  expect(new Set(routes).size).toBe(routes.length)
})

test('declares every path parameter', () => {
  for (const endpoint of allEndpoints) {
    const named = [...endpoint.path.matchAll(/:(\w+)/g)].map((match) => match[1])
    const sample = Object.fromEntries(named.map((name) => [name, 'x']))
    if (named.length > 0) expect(endpoint.params?.safeParse(sample).success).toBe(true)
    else expect(endpoint.params).toBeUndefined()
  }
})

test('every endpoint that reads a query or a body declares the error for an invalid one', () => {
  for (const { operationId, query, body, multipart, errors } of allEndpoints) {
    if (query || body || multipart)
      expect([operationId, errors]).toEqual([operationId, expect.arrayContaining(['bad_request'])])
  }
})

test('every POST of a backend accepts an idempotency key, and no other endpoint does', () => {
  for (const { operationId, method, caller, idempotent } of allEndpoints) {
    const keyed = method === 'post' && caller === 'api_key'
    expect([operationId, idempotent !== undefined]).toEqual([operationId, keyed])
  }
})

test('metadata is limited to exactly 8 KB and never reaches a prototype', () => {
  const ofBytes = (bytes: number) => ({ a: 'x'.repeat(bytes - '{"a":""}'.length) })
  expect(metadata.safeParse(ofBytes(8192)).success).toBe(true)
  expect(metadata.safeParse(ofBytes(8193)).success).toBe(false)
  expect(metadata.safeParse(JSON.parse('{"a":{"constructor":1}}')).success).toBe(false)
  expect(metadata.safeParse([]).success).toBe(false)
})

test('only read operations are GET, so that no link or image of another site can change anything', () => {
  const reads = /^(get|list|search|export|stream|openFlow|follow)/
  for (const { operationId, method } of [...allEndpoints, ...allConsoleEndpoints])
    expect([operationId, method === 'get']).toEqual([operationId, reads.test(operationId)])
})

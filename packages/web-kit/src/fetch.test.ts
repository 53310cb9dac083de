import { describe, expect, test } from '@jest/globals'
import type { sessionEndpoints } from '@kyc/common'
import { ApiError, fillPath, searchOf, typedFetch } from './fetch.ts'

const answering = (response: Response, seen: Request[] = []) =>
  ((input: string, init: RequestInit) => {
    seen.push(new Request(`http://test.invalid${input}`, init))
    return Promise.resolve(response)
  }) as typeof fetch

describe('typedFetch', () => {
  test('fills the path, writes the query and sends the given headers', async () => {
    const seen: Request[] = []
    const api = typedFetch<typeof sessionEndpoints>({
      fetch: answering(Response.json({ status: 'approved' }), seen),
      headers: () => ({ 'x-csrf': 'token' }),
    })
    const session = await api.get('/v1/sessions/:session_id', { params: { session_id: 'ses_a/b' } })
    expect(session.status).toBe('approved')
    await api.get('/v1/sessions', { query: { status: 'in_review', page: 2 } }).catch(() => null)
    expect(seen[0]?.url).toBe('http://test.invalid/v1/sessions/ses_a%2Fb')
    expect(seen[0]?.headers.get('x-csrf')).toBe('token')
    expect(seen[1]?.url).toBe('http://test.invalid/v1/sessions?status=in_review&page=2')
  })

  test('a path outside the contract does not compile', () => {
    const api = typedFetch<typeof sessionEndpoints>()
    // @ts-expect-error the contract has no such path
    const call = () => api.get('/v1/elsewhere', {})
    expect(call).toBeDefined()
  })

  test('throws the code and message of the error envelope, after calling onError', async () => {
    const told: string[] = []
    const api = typedFetch<typeof sessionEndpoints>({
      fetch: answering(
        Response.json(
          { error: { code: 'conflict', message: 'it is approved' } },
          { status: 409, headers: { 'retry-after': '3' } },
        ),
      ),
      onError: (error) => told.push(error.code),
    })
    const call = api.delete('/v1/sessions/:session_id', { params: { session_id: 'ses_a' } })
    const error = await call.catch((reason: unknown) => reason)
    expect(error).toBeInstanceOf(ApiError)
    expect(error).toMatchObject({
      status: 409,
      code: 'conflict',
      message: 'it is approved',
      retryAfterSeconds: 3,
    })
    expect(told).toEqual(['conflict'])
  })

  test('an unreachable server and a response without an envelope are errors too', async () => {
    const params = { session_id: 'ses_a' }
    const away = typedFetch<typeof sessionEndpoints>({
      fetch: (() => Promise.reject(new TypeError('refused'))) as typeof fetch,
    })
    await expect(away.get('/v1/sessions/:session_id', { params })).rejects.toMatchObject({ code: 'network' })
    const proxy = typedFetch<typeof sessionEndpoints>({
      fetch: answering(new Response('<html>', { status: 502 })),
    })
    await expect(proxy.get('/v1/sessions/:session_id', { params })).rejects.toMatchObject({
      status: 502,
      code: 'internal',
    })
  })

  test('a rejected request that was recovered is sent once more, and only once', async () => {
    let sent = 0
    const api = typedFetch<typeof sessionEndpoints>({
      fetch: (() => {
        sent += 1
        return Promise.resolve(
          Response.json({ error: { code: 'forbidden', message: 'no' } }, { status: 403 }),
        )
      }) as typeof fetch,
      recover: (error) => Promise.resolve(error.status === 403),
    })
    const call = api.get('/v1/sessions/:session_id', { params: { session_id: 'ses_a' } })
    await expect(call).rejects.toMatchObject({ code: 'forbidden' })
    expect(sent).toBe(2)
  })

  test('204 returns nothing', async () => {
    const api = typedFetch<typeof sessionEndpoints>({ fetch: answering(new Response(null, { status: 204 })) })
    expect(await api.delete('/v1/sessions/:session_id', { params: { session_id: 'ses_a' } })).toBeUndefined()
  })
})

test('fillPath rejects a missing part', () => {
  expect(() => fillPath('/a/:id', {})).toThrow('id is missing')
})

test('searchOf omits empty values', () => {
  expect(searchOf({ a: '', b: undefined, c: null, d: ['x', 'y'], e: false })).toBe('?d=x%2Cy&e=false')
})

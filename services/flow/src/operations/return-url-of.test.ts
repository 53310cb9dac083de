import { beforeAll, expect, test } from '@jest/globals'
import { createIdentityVerifier, generateIdentityKeys } from '@kyc/http'
import { systemClock } from '@kyc/runtime'
import { decodeProtectedHeader, importJWK, type JWK, jwtVerify } from 'jose'
import { returnUrlOf } from './return-url-of.ts'

const secret = 's'.repeat(48)
const session = {
  app_id: 'app_1',
  session_id: 'ses_1',
  callback_url: 'https://client.example/done?order=7',
  config: { redirect_url: null },
}
const operations = { clock: systemClock, config: { RESULT_TOKEN_SECRET: secret } }
type Arguments = Parameters<typeof returnUrlOf>

let url: URL
let token: string
beforeAll(async () => {
  const made = await returnUrlOf(
    operations as unknown as Arguments[0],
    session as unknown as Arguments[1],
    'in_review',
  )
  url = new URL(made ?? '')
  token = url.searchParams.get('result_token') ?? ''
})

test("adds session, status and a result token to the query of the client's URL", () => {
  expect(url.origin).toBe('https://client.example')
  expect(Object.fromEntries(url.searchParams)).toEqual({
    order: '7',
    session_id: 'ses_1',
    status: 'in_review',
    result_token: token,
  })
})

test('a result token is signed with its own secret, names app, session and status, and expires in ten minutes', async () => {
  const key = new TextEncoder().encode(secret)
  const { payload } = await jwtVerify(token, key, {
    algorithms: ['HS256'],
    typ: 'kyc-result+jwt',
    issuer: 'flow',
    audience: 'app_1',
  })
  expect(payload).toMatchObject({ session_id: 'ses_1', status: 'in_review' })
  expect((payload.exp ?? 0) - (payload.iat ?? 0)).toBe(600)
  await expect(jwtVerify(token, new TextEncoder().encode('t'.repeat(48)))).rejects.toThrow()
})

test('no service accepts a result token as an identity', async () => {
  const keys = await generateIdentityKeys()
  for (const service of ['flow', 'session', 'console'] as const) {
    const verify = await createIdentityVerifier(keys.publicKey, service, systemClock)
    await expect(verify(token)).rejects.toMatchObject({ code: 'unauthorized' })
  }
  expect(decodeProtectedHeader(token)).toEqual({ alg: 'HS256', typ: 'kyc-result+jwt' })
  const gateway = await importJWK(JSON.parse(keys.publicKey) as JWK, 'EdDSA')
  await expect(jwtVerify(token, gateway)).rejects.toThrow()
})

import { beforeAll, describe, expect, test } from '@jest/globals'
import { systemClock } from '@kyc/runtime'
import { exportJWK, generateKeyPair, importJWK, type JWK, type JWTPayload, SignJWT, UnsecuredJWT } from 'jose'
import {
  createIdentitySigner,
  createIdentityVerifier,
  generateIdentityKeys,
  type IdentityVerifier,
} from './identity.ts'

const caller = {
  type: 'api_key',
  app_id: 'app_1',
  environment: 'test',
  key_id: 'key_1',
  address: null,
} as const
const seconds = () => Math.floor(Date.now() / 1000)

let keys: { privateKey: string; publicKey: string }
let verify: IdentityVerifier
beforeAll(async () => {
  keys = await generateIdentityKeys()
  verify = await createIdentityVerifier(keys.publicKey, 'checks', systemClock)
})

type Changes = {
  claims?: JWTPayload
  header?: Record<string, unknown>
  key?: Awaited<ReturnType<typeof importJWK>>
}

/** A token that the verifier accepts, except for `changes`; `undefined` removes a claim. */
async function token({ claims = {}, header = {}, key }: Changes = {}): Promise<string> {
  const payload = { iss: 'gateway', aud: 'checks', iat: seconds(), exp: seconds() + 60, caller, ...claims }
  return new SignJWT(JSON.parse(JSON.stringify(payload)))
    .setProtectedHeader({ alg: 'EdDSA', typ: 'kyc-internal+jwt', ...header })
    .sign(key ?? (await importJWK(JSON.parse(keys.privateKey) as JWK, 'EdDSA')))
}

const expectRefused = (text: string) => expect(verify(text)).rejects.toMatchObject({ code: 'unauthorized' })

test('accepts a token signed by the gateway', async () => {
  expect(await verify(await token())).toEqual(caller)
  const sign = await createIdentitySigner(keys.privateKey, systemClock)
  expect(await verify(await sign(caller, 'checks'))).toEqual(caller)
})

describe('rejects a token', () => {
  test('whose claims were changed after it was signed', async () => {
    const [header, , signature] = (await token()).split('.')
    const claims = { iss: 'gateway', aud: 'checks', iat: seconds(), exp: seconds() + 60 }
    const payload = { ...claims, caller: { ...caller, app_id: 'app_2' } }
    const forged = Buffer.from(JSON.stringify(payload)).toString('base64url')
    await expectRefused(`${header}.${forged}.${signature}`)
  })

  test('without a signature, or with the public key as the secret of an HMAC', async () => {
    const claims = { iss: 'gateway', aud: 'checks', iat: seconds(), exp: seconds() + 60, caller }
    await expectRefused(new UnsecuredJWT(claims).encode())
    const [, payload] = (await token()).split('.')
    for (const alg of ['none', 'None', 'NONE']) {
      const header = Buffer.from(JSON.stringify({ alg, typ: 'kyc-internal+jwt' })).toString('base64url')
      await expectRefused(`${header}.${payload}.`)
    }
    const { x = '' } = JSON.parse(keys.publicKey) as JWK
    for (const secret of [Buffer.from(keys.publicKey), Buffer.from(x), Buffer.from(x, 'base64url')]) {
      await expectRefused(await token({ header: { alg: 'HS256' }, key: new Uint8Array(secret) }))
    }
  })

  test('signed with another algorithm', async () => {
    for (const alg of ['ES256', 'RS256']) {
      const { privateKey } = await generateKeyPair(alg)
      await expectRefused(await token({ header: { alg }, key: privateKey }))
    }
  })

  test('that contains its own verification key, because only the configured key counts', async () => {
    const own = await generateKeyPair('EdDSA', { extractable: true, crv: 'Ed25519' })
    const jwk = await exportJWK(own.publicKey)
    const key = own.privateKey
    for (const header of [
      { jwk },
      { jku: 'https://evil.example/keys' },
      { x5u: 'https://evil.example' },
      { kid: 'own' },
    ])
      await expectRefused(await token({ header, key }))
  })

  test('of another type, such as a result token', async () => {
    for (const typ of ['JWT', 'kyc-result+jwt', undefined])
      await expectRefused(await token({ header: { typ } }))
  })

  test('for another service, or from another issuer', async () => {
    for (const aud of ['session', ['session', 'console'], '', undefined])
      await expectRefused(await token({ claims: { aud } }))
    for (const iss of ['flow', undefined]) await expectRefused(await token({ claims: { iss } }))
  })

  test.each<[string, () => JWTPayload]>([
    ['has expired', () => ({ iat: seconds() - 70, exp: seconds() - 10 })],
    [
      'is older than a minute, whatever it claims to expire',
      () => ({ iat: seconds() - 70, exp: seconds() + 600 }),
    ],
    ['was issued in the future', () => ({ iat: seconds() + 60, exp: seconds() + 120 })],
    ['is not valid yet', () => ({ nbf: seconds() + 60 })],
    ['never expires', () => ({ exp: undefined })],
    ['has no time of issue', () => ({ iat: undefined })],
    ['names no caller', () => ({ caller: undefined })],
  ])('that %s', async (_, claims) => {
    await expectRefused(await token({ claims: claims() }))
  })

  test('that expired while it was cached', async () => {
    let now = new Date()
    const later = await createIdentityVerifier(keys.publicKey, 'checks', { now: () => now })
    const text = await token()
    expect(await later(text)).toEqual(caller)
    now = new Date(now.getTime() + 66_000)
    await expect(later(text)).rejects.toMatchObject({ code: 'unauthorized' })
  })
})

import { createHmac } from 'node:crypto'
import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { WebhookVerificationError, webhooks } from './index.ts'
import { signEvent, statusEvent } from './testing.ts'
import { sign } from './webhooks.ts'

const secret = 'whsec_0123456789abcdefghijklmnop'
const event = statusEvent('approved', { vendor_data: 'Zoë 北京' })
const signed = () => signEvent(event, secret)
const reasonOf = (promise: Promise<unknown>) =>
  promise.then(
    () => 'accepted',
    (error: unknown) => (error instanceof WebhookVerificationError ? error.reason : error),
  )

describe('a signature', () => {
  test('is the documented one: HMAC-SHA256 of timestamp, dot and raw body', async () => {
    const expected = createHmac('sha256', secret).update('1700000000.{"a":1}').digest('hex')
    expect(await sign('{"a":1}', '1700000000', secret)).toBe(`v1=${expected}`)
  })

  test('is valid for text, bytes and a Buffer alike, and returns the event', async () => {
    const { body, headers } = await signed()
    const buffer = Buffer.from(body)
    const view = new Uint8Array(Buffer.concat([Buffer.from('xx'), buffer])).subarray(2)
    for (const raw of [body, buffer, view, new Uint8Array(buffer).buffer]) {
      expect(await webhooks.verify(raw, headers, secret)).toEqual(event)
    }
  })

  test('is found in every form of headers', async () => {
    const { body, headers } = await signed()
    const capitals = Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name.toUpperCase(), value]),
    )
    const lists = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value]]))
    for (const given of [new Headers(headers), capitals, lists]) {
      expect(await webhooks.verify(body, given, secret)).toEqual(event)
    }
  })

  test('can be one of several, and the secret one of several, as in a rotation', async () => {
    const { body, headers } = await signed()
    const other = `v1=${'0'.repeat(64)}`
    const both = { ...headers, 'x-kyc-signature': `${other}, ${headers['x-kyc-signature']}` }
    expect(await webhooks.verify(body, both, secret)).toEqual(event)
    const list = { ...headers, 'x-kyc-signature': [other, String(headers['x-kyc-signature'])] }
    expect(await webhooks.verify(body, list, ['whsec_new', secret])).toEqual(event)
    const flood = {
      ...headers,
      'x-kyc-signature': [...Array(8).fill(other), headers['x-kyc-signature']] as string[],
    }
    expect(await reasonOf(webhooks.verify(body, flood, secret))).toBe('bad_signature')
  })

  test('is invalid after any byte of body, timestamp or signature changed', async () => {
    const { body, headers } = await signed()
    const bytes = Buffer.from(body)
    await fc.assert(
      fc.asyncProperty(fc.nat(bytes.length - 1), fc.integer({ min: 1, max: 255 }), async (at, change) => {
        const forged = Buffer.from(bytes)
        forged[at] = (forged[at] as number) ^ change
        expect(await reasonOf(webhooks.verify(forged, headers, secret))).toBe('bad_signature')
      }),
      { numRuns: 200 },
    )
    const signature = String(headers['x-kyc-signature'])
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 3, max: signature.length - 1 }), async (at) => {
        const flipped = signature[at] === '0' ? '1' : '0'
        const forged = signature.slice(0, at) + flipped + signature.slice(at + 1)
        const given = { ...headers, 'x-kyc-signature': forged }
        expect(await reasonOf(webhooks.verify(body, given, secret))).toBe('bad_signature')
      }),
    )
    const later = { ...headers, 'x-kyc-timestamp': String(Number(headers['x-kyc-timestamp']) + 1) }
    expect(await reasonOf(webhooks.verify(body, later, secret))).toBe('bad_signature')
  })

  test.each(['v1=', `v2=${'0'.repeat(64)}`, 'v1=zz', '', 'true'])('%j is invalid', async (value) => {
    const { body, headers } = await signed()
    const given = { ...headers, 'x-kyc-signature': value }
    expect(await reasonOf(webhooks.verify(body, given, secret))).toBe('bad_signature')
  })

  test('with another secret is invalid, and an empty secret is an error of the caller', async () => {
    const { body, headers } = await signed()
    expect(await reasonOf(webhooks.verify(body, headers, 'whsec_other'))).toBe('bad_signature')
    await expect(webhooks.verify(body, headers, '')).rejects.toThrow(TypeError)
  })
})

describe('a delivery', () => {
  test('without its headers, or with an invalid timestamp, is rejected', async () => {
    const { body, headers } = await signed()
    expect(await reasonOf(webhooks.verify(body, {}, secret))).toBe('missing_header')
    for (const value of ['soon', '1e9', '-5', '1700000000.5', '']) {
      const given = { ...headers, 'x-kyc-timestamp': value }
      expect(await reasonOf(webhooks.verify(body, given, secret))).toBe('bad_timestamp')
    }
  })

  test('is accepted up to 300 seconds from now in either direction, and rejected beyond', async () => {
    const at = 1_700_000_000
    const { body, headers } = await signEvent(event, secret, { timestampSeconds: at })
    for (const seconds of [-300, 0, 300]) {
      const now = (at + seconds) * 1000
      expect(await webhooks.verify(body, headers, secret, { now })).toEqual(event)
    }
    for (const seconds of [-301, 301]) {
      const now = (at + seconds) * 1000
      expect(await reasonOf(webhooks.verify(body, headers, secret, { now }))).toBe('too_old')
      const wide = webhooks.verify(body, headers, secret, { now, toleranceSeconds: 400 })
      expect(await reasonOf(wide)).toBe('accepted')
    }
  })

  test('whose signed body is not JSON is rejected', async () => {
    const timestamp = String(Math.floor(Date.now() / 1000))
    const headers = { 'x-kyc-timestamp': timestamp, 'x-kyc-signature': await sign('{', timestamp, secret) }
    expect(await reasonOf(webhooks.verify('{', headers, secret))).toBe('bad_body')
  })
})

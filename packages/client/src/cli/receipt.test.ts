import { createHash, generateKeyPairSync, sign } from 'node:crypto'
import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { canonicalJson } from './canonical-json.ts'
import { receiptProblems, type SignedReceipt, type SigningKey } from './receipt.ts'

const pair = generateKeyPairSync('ed25519')
const { x = '' } = pair.publicKey.export({ format: 'jwk' })
const kid = createHash('sha256').update(`{"crv":"Ed25519","kty":"OKP","x":"${x}"}`).digest('base64url')
const key: SigningKey = { kty: 'OKP', crv: 'Ed25519', x, kid, use: 'sig', alg: 'EdDSA' }

function signed(payload: object): SignedReceipt {
  const value = sign(null, Buffer.from(canonicalJson(payload)), pair.privateKey).toString('base64url')
  return { payload, signature: { algorithm: 'Ed25519', key_id: kid, value } } as unknown as SignedReceipt
}

const payload = {
  session_id: 'ses_1',
  status: 'approved',
  decided_at: '2026-01-31T09:34:14Z',
  'ä€': [1.5, null],
}

describe('a receipt', () => {
  test('is valid under the key that its id names, in any order of its fields', () => {
    const receipt = signed(payload)
    const reversed = Object.fromEntries(Object.entries(receipt.payload).reverse())
    expect(receiptProblems(receipt, [key])).toEqual([])
    expect(receiptProblems({ ...receipt, payload: reversed } as SignedReceipt, [key])).toEqual([])
  })

  test('is invalid after any change', () => {
    const text = JSON.stringify(signed(payload))
    fc.assert(
      fc.property(fc.nat(text.length - 1), fc.integer({ min: 33, max: 126 }), (at, code) => {
        const changed = text.slice(0, at) + String.fromCharCode(code) + text.slice(at + 1)
        let receipt: SignedReceipt
        try {
          receipt = JSON.parse(changed) as SignedReceipt
        } catch {
          return
        }
        const same = canonicalJson(receipt.payload) === canonicalJson(payload)
        // base64url has unused bits at its end, and `algorithm` does not select the algorithm: only the content counts.
        if (!same) expect(receiptProblems(receipt, [key])).not.toEqual([])
      }),
      { numRuns: 2_000 },
    )
  })

  test.each([null, 1, 'x', [], {}, { payload: {} }, { payload: null, signature: { value: 'x' } }])(
    'is never %j',
    (value) => {
      expect(receiptProblems(value as unknown as SignedReceipt, [key])).toEqual(['it is no signed document'])
    },
  )

  test('is invalid under an unknown key, and under another key with the same id', () => {
    expect(receiptProblems(signed(payload), [])).toHaveLength(1)
    const other = generateKeyPairSync('ed25519').publicKey.export({ format: 'jwk' })
    expect(receiptProblems(signed(payload), [{ ...key, x: String(other.x) }])).toHaveLength(1)
  })
})

test('canonical JSON sorts by UTF-16 code units and contains no white space', () => {
  expect(canonicalJson({ '\ufb33': 1, '\u{1f600}': 2, b: [1, { z: 0, a: 'ü' }] })).toBe(
    '{"b":[1,{"a":"ü","z":0}],"\u{1f600}":2,"\ufb33":1}',
  )
})

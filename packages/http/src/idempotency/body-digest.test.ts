import { describe, expect, test } from '@jest/globals'
import { bodyDigest } from './body-digest.ts'

const none = Buffer.alloc(0)
const file = (text: string) => ({ bytes: Buffer.from(text) })
const digestOf = async (fields: object, files: Record<string, { bytes: Buffer }[]>) =>
  (await bodyDigest(none, { fields, files })).toString('hex')

describe('the digest of a body', () => {
  test('is SHA-256 of its bytes, on this thread and on another', async () => {
    expect((await bodyDigest(Buffer.from('abc'))).toString('hex')).toBe(
      'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
    )
    // A million times "a": the long message of FIPS 180-2.
    expect((await bodyDigest(Buffer.alloc(1_000_000, 'a'))).toString('hex')).toBe(
      'cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0',
    )
  })

  test('of a form does not depend on the order of its parts', async () => {
    const one = await digestOf({ a: '1', b: '2' }, { front: [file('x')], back: [file('y')] })
    expect(await digestOf({ b: '2', a: '1' }, { back: [file('y')], front: [file('x')] })).toBe(one)
  })

  test('of a form changes with every change of a part', async () => {
    const forms = [
      digestOf({}, { front: [file('xy')], back: [] }),
      digestOf({}, { front: [], back: [file('xy')] }),
      digestOf({}, { front: [file('x')], back: [file('y')] }),
      digestOf({}, { front: [file('x'), file('y')], back: [] }),
      digestOf({}, { front: [file('y'), file('x')], back: [] }),
      digestOf({ front: 'xy' }, { front: [], back: [] }),
    ]
    expect(new Set(await Promise.all(forms)).size).toBe(forms.length)
  })
})

import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { canonicalJson } from './canonical-json.ts'

describe('canonical JSON', () => {
  test('matches the example in RFC 8785, section 3.2.2', () => {
    const input = JSON.parse(String.raw`{
      "numbers": [333333333.33333329, 1E30, 4.50, 2e-3, 0.000000000000000000000000001],
      "string": "\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"\/",
      "literals": [null, true, false]
    }`)
    expect(canonicalJson(input)).toBe(
      String.raw`{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],"string":"€$\u000f\nA'B\"\\\\\"/"}`,
    )
  })

  test('sorts names by UTF-16 code units (RFC 8785, section 3.2.3)', () => {
    const input = { '\u20ac': 1, '\r': 2, '\ufb33': 3, '1': 4, '\u{1f600}': 5, '\u0080': 6, '\u00f6': 7 }
    const names = Object.keys(JSON.parse(canonicalJson(input)) as object)
    // A JavaScript object lists "1" first by itself, so compare the text.
    expect(names).toHaveLength(7)
    expect([...canonicalJson(input).matchAll(/:(\d)/g)].map((match) => match[1]).join('')).toBe('2467153')
  })

  test('does not depend on the order of names and preserves every value', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const text = canonicalJson(value)
        const plain = JSON.parse(JSON.stringify(value)) as unknown
        expect(JSON.parse(text)).toEqual(plain)
        expect(canonicalJson(reversed(plain))).toBe(text)
      }),
    )
  })

  test.each([
    ['not a number', Number.NaN],
    ['infinite', Number.POSITIVE_INFINITY],
    ['a lone surrogate', '\ud800'],
    ['undefined in a list', [undefined]],
    ['a date', new Date()],
    ['a big integer', 1n],
  ])('rejects %s', (_, value) => {
    expect(() => canonicalJson(value)).toThrow(TypeError)
  })
})

function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversed)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).reverse()
  return Object.fromEntries(entries.map(([name, member]) => [name, reversed(member)]))
}

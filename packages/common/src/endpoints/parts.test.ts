import { describe, expect, test } from '@jest/globals'
import { metadata } from './parts.ts'

describe('metadata', () => {
  test.each([
    '{"__proto__": {"polluted": 1}}',
    '{"constructor": {"prototype": {"polluted": 1}}}',
    '{"prototype": 1}',
    '{"a": {"__proto__": {"polluted": 1}}}',
    '{"a": [{"b": {"constructor": 1}}]}',
    '{"\\u005f_proto__": {"polluted": 1}, "a": {"\\u005f_proto__": 1}}',
  ])('%s never reaches a prototype', (text) => {
    const result = metadata.safeParse(JSON.parse(text))
    // A top-level member named __proto__ is dropped; any other such name is rejected.
    if (result.success) expect(Object.keys(result.data)).toEqual([])
    else expect(result.error.issues[0]?.message).toContain('must not hold the keys')
    expect(({} as Record<string, unknown>).polluted).toBeUndefined()
    expect(result.success && (result.data as Record<string, unknown>).polluted).not.toBe(1)
  })

  test.each(['{"a": {"__proto__": 1}}', '{"constructor": 1}', '{"a": [{"prototype": 1}]}'])(
    '%s is rejected',
    (text) => {
      expect(metadata.safeParse(JSON.parse(text)).success).toBe(false)
    },
  )

  test('accepts other objects up to 8 KB of JSON', () => {
    expect(metadata.parse({ a: { b: [1, null, 'c'] } })).toEqual({ a: { b: [1, null, 'c'] } })
    expect(metadata.safeParse({ a: 'x'.repeat(8 * 1024) }).success).toBe(false)
  })
})

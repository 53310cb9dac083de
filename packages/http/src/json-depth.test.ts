import { expect, test } from '@jest/globals'
import fc from 'fast-check'
import { isNestedDeeperThan, maxJsonDepth } from './json-depth.ts'

const nested = (levels: number, open = '[', close = ']') =>
  Buffer.from(open.repeat(levels) + close.repeat(levels))

test('allows the limit itself and rejects one level more', () => {
  expect(isNestedDeeperThan(maxJsonDepth, nested(maxJsonDepth))).toBe(false)
  expect(isNestedDeeperThan(maxJsonDepth, nested(maxJsonDepth + 1))).toBe(true)
  expect(isNestedDeeperThan(maxJsonDepth, nested(maxJsonDepth + 1, '{"a":', '}'))).toBe(true)
})

test('does not count siblings as depth', () => {
  expect(isNestedDeeperThan(2, Buffer.from(`[${'[],{},'.repeat(10_000)}[]]`))).toBe(false)
})

test('agrees with the depth of the parsed value, whatever its strings and keys contain', () => {
  const depthOf = (value: unknown): number =>
    typeof value === 'object' && value !== null ? 1 + Math.max(0, ...Object.values(value).map(depthOf)) : 0
  const text = fc.oneof(
    fc.string({ unit: 'grapheme' }),
    fc.string({ unit: fc.constantFrom(...'[]{}"\\,:é') }),
  )
  const { value } = fc.letrec((tie) => ({
    value: fc.oneof(
      { maxDepth: 8 },
      text,
      fc.integer(),
      fc.array(tie('value'), { maxLength: 3 }),
      fc.dictionary(text, tie('value'), { maxKeys: 3 }),
    ),
  }))
  fc.assert(
    fc.property(
      value,
      fc.integer({ min: 0, max: 10 }),
      fc.constantFrom(undefined, 2),
      (body, limit, indent) => {
        const written = Buffer.from(JSON.stringify(body, null, indent))
        expect(isNestedDeeperThan(limit, written)).toBe(depthOf(JSON.parse(written.toString())) > limit)
      },
    ),
  )
})

test('returns a result for any bytes', () => {
  fc.assert(fc.property(fc.uint8Array(), (bytes) => typeof isNestedDeeperThan(3, bytes) === 'boolean'))
})

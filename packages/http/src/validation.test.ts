import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { z } from 'zod'
import { parsePart } from './validation.ts'

const anything = z.record(z.string(), z.unknown())

describe('text that a store would reject or change', () => {
  test.each<[string, unknown]>([
    ['name', { name: 'a\u0000b' }],
    ['name', { name: '\ud800' }],
    ['metadata.deep.list.0', { metadata: { deep: { list: ['\u0000'] } } }],
    ['metadata', { metadata: { 'a\u0000': 1 } }],
  ])('is rejected with the name of its field: %s', (field, body) => {
    expect(() => parsePart(anything, body, 'body')).toThrow(`${field}: must not hold`)
  })

  test('in a path is not found', () => {
    expect(() => parsePart(anything, { session_id: '\u0000' }, 'path')).toThrow('No such')
  })

  test('an overlong id is not found, like one that does not exist', () => {
    const params = z.object({ session_id: z.string().max(128) })
    expect(() => parsePart(params, { session_id: 'x'.repeat(129) }, 'path')).toThrow('No such')
    expect(() => parsePart(params, { session_id: 'x'.repeat(129) }, 'body')).toThrow('must be at most 128')
  })

  test('is found at any depth, and nothing else is rejected', () => {
    const deep = `${'['.repeat(5_000)}"\\u0000"${']'.repeat(5_000)}`
    expect(() => parsePart(anything, { deep: JSON.parse(deep) }, 'body')).toThrow('must not hold')
    fc.assert(
      // zod drops a `__proto__` key from a record, so that no prototype is changed.
      fc.property(
        fc.dictionary(
          fc.string({ unit: 'grapheme' }).filter((key) => key !== '__proto__'),
          fc.jsonValue(),
        ),
        (body) => {
          const text = JSON.stringify(body)
          const wrong = text.includes('\\u0000') || /\\ud[89a-f]/i.test(text)
          const attempt = () => parsePart(anything, body, 'body')
          if (wrong) expect(attempt).toThrow('must not hold')
          else expect(attempt()).toEqual(body)
        },
      ),
    )
  })
})

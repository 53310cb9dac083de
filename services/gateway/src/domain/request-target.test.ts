import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { readTarget } from './request-target.ts'

describe('a request target', () => {
  test.each([
    ['/v1/sessions', '/v1/sessions', ''],
    ['/', '/', ''],
    ['/console/', '/console/', ''],
    ['/v1/sessions?page=1&a=%2F..', '/v1/sessions', '?page=1&a=%2F..'],
    ['/v1/%73essions/a%7eb', '/v1/sessions/a~b', ''],
    ['/flow/%e4%bd%a0', '/flow/%E4%BD%A0', ''],
    ['/v1/sessions/...', '/v1/sessions/...', ''],
    ['/v1/sessions/.well', '/v1/sessions/.well', ''],
  ])('%s has the path %s and the query %j', (raw, path, query) => {
    expect(readTarget(raw)).toEqual({ path, query })
  })

  test.each([
    ['', 'path'],
    ['*', 'path'],
    ['http://a/v1', 'path'],
    ['/a\\b', 'path'],
    ['/a b', 'path'],
    ['/a#b', 'path'],
    ['/a?b#c', 'query'],
    ['/a?b c', 'query'],
    ['//a', 'empty segments'],
    ['/a//b', 'empty segments'],
    ['/a/../b', 'dot segments'],
    ['/..', 'dot segments'],
    ['/a/.', 'dot segments'],
    ['/a%2eb', 'encoded'],
    ['/a%2F', 'encoded'],
    ['/a%5c', 'encoded'],
    ['/a%0d', 'encoded'],
    ['/a%', 'encoded'],
    ['/a%g0', 'encoded'],
  ])('%j is rejected: %s', (raw, why) => {
    expect(readTarget(raw)).toEqual({ fault: expect.stringContaining(why) })
  })

  test('that is not valid UTF-8 is not found', () => {
    expect(readTarget('/v1/sessions/%ff')).toMatchObject({ unknown: true })
  })

  test('in canonical form is its own canonical form, and has the same segments', () => {
    const anyPath = fc
      .array(
        fc.oneof(fc.constantFrom('a', '/', '%', '%61', '.', '%2e', '%C3%A9', ':', 'é', '\\'), fc.string()),
        {
          maxLength: 12,
        },
      )
      .map((parts) => `/${parts.join('')}`)
    fc.assert(
      fc.property(anyPath, (raw) => {
        const read = readTarget(raw)
        if ('fault' in read) return
        expect(readTarget(read.path + read.query)).toEqual(read)
        const given = raw.split('?', 1)[0] ?? ''
        const decode = (path: string) => path.split('/').map(decodeURIComponent)
        expect(decode(read.path)).toEqual(decode(given))
        expect(new URL(`http://a${read.path}`).pathname).toBe(read.path)
      }),
      { numRuns: 2_000 },
    )
  })
})

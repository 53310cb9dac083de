import { expect, test } from '@jest/globals'
import fc from 'fast-check'
import { returnUrl } from './return-url.ts'

const result = { session_id: 'ses_1', status: 'approved', result_token: 'a.b-c_d.e' } as const
const appended = 'session_id=ses_1&status=approved&result_token=a.b-c_d.e'

test.each([
  ['https://example.org', `https://example.org?${appended}`],
  ['https://example.org/a?', `https://example.org/a?${appended}`],
  ['https://example.org/a??', `https://example.org/a??&${appended}`],
  ['https://example.org/a?x=1', `https://example.org/a?x=1&${appended}`],
  ['https://example.org/a?x=1&', `https://example.org/a?x=1&${appended}`],
  ['https://example.org/a#b?c', `https://example.org/a?${appended}#b?c`],
  [
    'HTTPS://EXAMPLE.org:443/a b/../é?q=%2f+%20&sig=A%3d#',
    `HTTPS://EXAMPLE.org:443/a b/../é?q=%2f+%20&sig=A%3d&${appended}#`,
  ],
  ['https://example.org/?status=mine', `https://example.org/?status=mine&${appended}`],
])('%s becomes %s', (base, expected) => {
  expect(returnUrl(base, result)).toBe(expected)
})

test("preserves every character of the client's URL in order, and a browser parses our parameters last", () => {
  const url = fc.webUrl({ withQueryParameters: true, withFragments: true })
  fc.assert(
    fc.property(url, (base) => {
      const sent = returnUrl(base, result)
      const place = sent.indexOf(appended)
      const [before, after] = [sent.slice(0, place), sent.slice(place + appended.length)]
      expect([before + after, before.slice(0, -1) + after]).toContain(base)
      const [read, given] = [new URL(sent), new URL(base)]
      expect([...read.searchParams].slice(-3)).toEqual(Object.entries(result))
      expect([...read.searchParams].slice(0, -3)).toEqual([...given.searchParams])
      expect([read.origin, read.pathname, read.hash]).toEqual([given.origin, given.pathname, given.hash])
    }),
  )
})

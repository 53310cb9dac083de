import { expect, test } from '@jest/globals'
import fc from 'fast-check'
import { httpUrl } from './http-url.ts'

const accepts = (text: string) => httpUrl.safeParse(text).success

test.each([
  'https://example.org',
  'http://localhost:3000/back?a=1#top',
  'HTTPS://EXAMPLE.org/a b/é?q=%2f%2F&&=',
  'https://bücher.example/',
  'https://[2001:db8::1]:8443/',
  'https://example.org/@user?to=a@example.org#@',
  'https://example.org?a@b',
])('accepts %j and returns its characters unchanged', (text) => {
  expect(httpUrl.parse(text)).toBe(text)
})

test.each([
  'https://user@example.org/',
  'https://user:secret@example.org/',
  'https://@example.org/',
  'https://example.org\\@evil.example/',
  'https://evil.example\\example.org/',
  ' https://example.org/',
  'https://example.org/ ',
  '\ufeffhttps://example.org/',
  'https://example.org/\u00a0',
  'https://exam\tple.org/',
  'https://example.org/\r\nlocation: x',
  'https://example.org/\u007f',
  'https://example.org/\u0085x',
  'https:example.org',
  'https:///example.org',
  'https://',
  'https://exa mple.org/',
  'ftp://example.org/',
  'javascript:alert(1)//https://example.org',
  '/relative',
  '',
])('rejects %j with the full rule', (text) => {
  expect(httpUrl.safeParse(text).error?.issues.at(-1)?.message).toBe(
    'must be an http or https URL without user information, control characters or surrounding spaces',
  )
})

test('rejects user information, control characters and surrounding spaces at any position', () => {
  const control = fc.integer({ min: 0, max: 0x9f }).filter((code) => code < 0x20 || code >= 0x7f)
  fc.assert(
    fc.property(
      fc.webUrl({ withQueryParameters: true, withFragments: true }),
      control,
      fc.nat(),
      (url, code, at) => {
        expect(accepts(url)).toBe(true)
        const place = at % (url.length + 1)
        expect(accepts(url.slice(0, place) + String.fromCharCode(code) + url.slice(place))).toBe(false)
        expect(accepts(` ${url}`)).toBe(false)
        expect(accepts(`${url} `)).toBe(false)
        expect(accepts(url.replace('://', '://user@'))).toBe(false)
      },
    ),
  )
})

test('a browser finds the host that an accepted URL shows, and no user information', () => {
  const noise = fc.string({ unit: fc.constantFrom(...'ab:/?#@\\[] .%\t\u00e9'), maxLength: 20 })
  fc.assert(
    fc.property(noise, (rest) => {
      const text = `https://${rest}`
      if (!accepts(text)) return
      const read = new URL(text)
      const written = /^https:\/\/([^/?#]*)/.exec(text)?.[1] ?? ''
      expect([read.username, read.password]).toEqual(['', ''])
      expect(new URL(`https://${written}/`).host).toBe(read.host)
    }),
    { numRuns: 2_000 },
  )
})

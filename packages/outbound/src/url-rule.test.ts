import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { readUrl } from './url-rule.ts'

const reason = (url: string) => {
  const verdict = readUrl(url, { allowPrivate: false })
  return verdict.ok ? null : verdict.reason
}

describe('refuses', () => {
  test.each([
    ['ftp://hooks.example.com/', 'scheme'],
    ['file:///etc/passwd', 'scheme'],
    ['hooks.example.com/x', 'unreadable_url'],
    ['http:hooks.example.com/', 'ambiguous_url'],
    ['http:///hooks.example.com/', 'ambiguous_url'],
    ['http:\\\\hooks.example.com\\', 'ambiguous_url'],
    ['https://hooks.example.com/a b', 'ambiguous_url'],
    ['https://hooks.example.com/a\u00a0b', 'ambiguous_url'],
    ['https://hooks.example.com/\u0085', 'ambiguous_url'],
    ['https://a:b@hooks.example.com/', 'credentials_in_url'],
    ['https://hooks%2eexample.com/', 'ambiguous_host'],
    ['https://hooks.exam\u00adple.com/', 'ambiguous_host'],
    ['http://1.1.1.1./', 'ambiguous_host'],
    ['http://0x01010101/', 'ambiguous_host'],
    ['http://1.1.257/', 'ambiguous_host'],
    ['http://１.1.1.1/', 'ambiguous_host'],
    ['https://hooks.example.com:22/', 'blocked_port'],
    ['https://hooks.example.com:0/', 'blocked_port'],
    ['https://hooks.example.com:65536/', 'unreadable_url'],
    ['https://localhost./', 'local_name'],
    ['https://a.b.internal/', 'local_name'],
    ['https://app.cluster.local/', 'local_name'],
    ['https://router.home.arpa/', 'local_name'],
    ['https://intranet/', 'local_name'],
    ['https://a..example.com/', 'unreadable_name'],
    ['https://hooks.example.com../', 'unreadable_name'],
    [`https://${'a'.repeat(64)}.example.com/`, 'unreadable_name'],
    [`https://${'abcdefghi.'.repeat(25)}com/`, null],
    [`https://${'abcdefghi.'.repeat(25)}co.uk/`, 'unreadable_name'],
    [`https://hooks.example.com/${'a'.repeat(2022)}`, null],
    [`https://hooks.example.com/${'a'.repeat(2023)}`, 'too_long'],
  ])('%s: %s', (url, expected) => expect(reason(url)).toBe(expected))
})

describe('accepts', () => {
  test.each([
    ['https://hooks.example.com', 'hooks.example.com', 'name'],
    ['HTTPS://Hooks.Example.COM:443/Kyc?a=@b#c@d', 'hooks.example.com', 'name'],
    ['https://hooks.example.com./kyc', 'hooks.example.com', 'name'],
    ['http://bücher.example/', 'xn--bcher-kva.example', 'name'],
    ['https://my_host.example.com:8443/', 'my_host.example.com', 'name'],
    ['https://[2606:4700:4700:0:0:0:0:1111]:8443/', '2606:4700:4700::1111', 'address'],
    ['http://8.8.8.8:8080/', '8.8.8.8', 'address'],
  ])('%s as %s', (url, host, kind) => {
    expect(readUrl(url, { allowPrivate: false })).toMatchObject({ ok: true, destination: { host, kind } })
  })
  test('accepts localhost and single-label names in development mode only', () => {
    for (const url of ['http://localhost:3000/hook', 'http://receiver:8080/', 'http://printer.local/']) {
      expect(readUrl(url, { allowPrivate: true })).toMatchObject({ ok: true, destination: { kind: 'name' } })
      expect(reason(url)).toBe('local_name')
    }
  })
})

test('never throws, and every accepted URL names one plain host', () => {
  const part = fc.constantFrom(
    'http://',
    'https://',
    '@',
    '\\',
    '/',
    '127.0.0.1',
    'a.example',
    ':',
    '[::1]',
    '%2e',
    '.',
    '#',
    '①',
  )
  const hostile = fc
    .array(fc.oneof(part, fc.string({ maxLength: 3 })), { maxLength: 8 })
    .map((list) => list.join(''))
  fc.assert(
    fc.property(fc.oneof(hostile, fc.webUrl(), fc.string()), (raw) => {
      const verdict = readUrl(raw, { allowPrivate: false })
      if (!verdict.ok) return
      const { url, host } = verdict.destination
      expect(url.username + url.password).toBe('')
      expect(url.hostname.replace(/^\[|\]$|\.$/g, '')).toBe(host)
      expect(raw.toLowerCase()).not.toContain('\\')
    }),
    { numRuns: 800 },
  )
})

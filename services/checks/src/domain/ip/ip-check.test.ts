import { describe, expect, test } from '@jest/globals'
import { blockList, isIn, isPrivateAddress, maskAddress, normalizeAddress } from './address.ts'
import { alpha2ToAlpha3 } from './alpha2-to-alpha3.ts'
import { type AddressFacts, type IpInput, ipCheck } from './ip-check.ts'

const known: AddressFacts = { country: 'FRA', asn: 3215, hosting: false, anonymizer: false }
const check = (input: Partial<IpInput> = {}) =>
  ipCheck({
    address: '90.1.2.3',
    lookUp: () => known,
    documentCountry: 'FRA',
    sessionsFromAddress24h: 1,
    changed: false,
    config: { country_mismatch_action: 'none', anonymizer_action: 'review' },
    ...input,
  })
const codes = (result: ReturnType<typeof check>) => result.warnings.map((warning) => warning.code)

describe('ipCheck', () => {
  test("passes an address in the document's country and reports it masked", () => {
    expect(check()).toEqual({
      status: 'passed',
      warnings: [],
      data: {
        address_masked: '90.1.2.*',
        country: 'FRA',
        asn: 3215,
        document_country_match: true,
        sessions_from_address_24h: 1,
      },
    })
  })

  test.each([
    ['none', 'passed'],
    ['review', 'warning'],
    ['decline', 'failed'],
  ] as const)('another country with action %s is %s, and always gives a warning', (action, status) => {
    const result = check({
      documentCountry: 'DEU',
      config: { country_mismatch_action: action, anonymizer_action: 'review' },
    })
    expect([result.status, codes(result)]).toEqual([status, ['ip_country_mismatch']])
  })

  test('an anonymiser requires review; a hosting provider is information only', () => {
    const anonymous = check({ lookUp: () => ({ ...known, anonymizer: true, hosting: true }) })
    expect([anonymous.status, codes(anonymous)]).toEqual(['warning', ['ip_anonymizer', 'ip_hosting']])
  })

  test('an unknown or private address is reported and passes', () => {
    expect(codes(check({ address: null }))).toEqual(['ip_country_unknown'])
    const hidden = check({ address: '::ffff:10.0.0.7' })
    expect([hidden.status, codes(hidden), hidden.data.country]).toEqual(['passed', ['ip_private'], null])
  })

  test('many sessions from one address and a change of address are information only', () => {
    const result = check({ sessionsFromAddress24h: 5, changed: true })
    expect([result.status, codes(result)]).toEqual(['passed', ['ip_reused', 'ip_changed']])
  })
})

test('addresses are normalised, masked and matched against blocks', () => {
  expect(normalizeAddress(' ::FFFF:192.0.2.1 ')).toBe('192.0.2.1')
  expect(normalizeAddress('fe80::1%eth0')).toBe('fe80::1')
  expect(normalizeAddress('1.2.3')).toBeNull()
  expect(maskAddress('2001:db8:85a3::7334')).toBe('2001:db8:85a3:*')
  expect(maskAddress('::1')).toBe('0:0:0:*')
  const blocks = blockList(['198.51.100.0/24', '2400:cb00::/32', '8.8.8.8'])
  expect(['198.51.100.9', '2400:cb00::1', '8.8.8.8'].every((a) => isIn(blocks, a))).toBe(true)
  expect(['198.51.101.9', '2400:cb01::1', '8.8.8.9'].some((a) => isIn(blocks, a))).toBe(false)
  expect(() => blockList(['198.51.100.0/33'])).toThrow('not an address or CIDR block')
  expect(['10.1.1.1', '100.64.0.1', 'fd00::1', '::1'].every(isPrivateAddress)).toBe(true)
  expect(['100.128.0.1', '9.9.9.9', '2a00:1450::1'].some(isPrivateAddress)).toBe(false)
})

test('country codes are those of ISO 3166-1', () => {
  expect(['US', 'gb', 'DE', 'XK', 'ZZ'].map(alpha2ToAlpha3)).toEqual(['USA', 'GBR', 'DEU', 'XKX', null])
})

import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { canonicalAddress, createClientAddress, parseTrustedProxies } from './client-address.ts'

const addressWith = (trusted: string[]) => {
  const clientAddress = createClientAddress(trusted)
  return (peer: string | undefined, forwardedFor?: string) => clientAddress(peer, forwardedFor).address
}

describe('the client address', () => {
  test('is the peer if there are no trusted proxies, whatever the header claims', () => {
    expect(createClientAddress([])('198.51.100.7', '203.0.113.9')).toEqual({
      address: '198.51.100.7',
      source: 'ignored',
    })
    expect(createClientAddress([])('198.51.100.7', undefined).source).toBe('peer')
  })

  test('is the rightmost hop that is not a trusted proxy', () => {
    const address = addressWith(['10.0.0.0/8'])
    expect(address('10.1.2.3', '203.0.113.9, 198.51.100.7')).toBe('198.51.100.7')
    expect(address('10.1.2.3', '203.0.113.9, 10.9.9.9')).toBe('203.0.113.9')
    expect(address('10.1.2.3', '10.8.8.8, 10.9.9.9')).toBe('10.8.8.8')
    expect(createClientAddress(['10.0.0.0/8'])('198.51.100.7', '203.0.113.9')).toEqual({
      address: '198.51.100.7',
      source: 'ignored',
    })
  })

  test('does not change with anything that a client adds on the left', () => {
    const address = addressWith(['10.0.0.0/8', 'fd00::/8'])
    const claim = fc.oneof(
      fc.ipV4(),
      fc.ipV6(),
      fc.string(),
      fc.constantFrom('10.0.0.1', '', ' ', 'unknown', '::1', '[::1]:80', '10.0.0.1:80', '_hidden'),
    )
    fc.assert(
      fc.property(fc.array(claim, { maxLength: 8 }), (claims) => {
        expect(address('10.0.0.1', [...claims, '198.51.100.7'].join(', '))).toBe('198.51.100.7')
        expect(address('10.0.0.1', [...claims, '198.51.100.7', '10.0.0.2'].join(','))).toBe('198.51.100.7')
      }),
    )
  })

  test('stays at the last valid hop if the header is invalid', () => {
    const address = addressWith(['10.0.0.1', 'fd00::/8'])
    for (const garbage of [
      'unknown',
      '',
      ',',
      '203.0.113.9,',
      '1.2.3',
      '203.0.113.9.5',
      '::ffff:1.2.3',
      '[::1',
      '%00',
    ])
      expect(address('::ffff:10.0.0.1', garbage)).toBe('10.0.0.1')
    expect(address('fd00::1', '2001:db8::5')).toBe('2001:db8::5')
    expect(address(undefined, '203.0.113.9')).toBeNull()
    expect(address('not an address', '203.0.113.9')).toBeNull()
  })

  test('has one canonical form, so that limits and checks count it once', () => {
    const address = addressWith(['10.0.0.1'])
    for (const spelling of [
      '203.0.113.9',
      ' 203.0.113.9 ',
      '203.0.113.9:4711',
      '::ffff:203.0.113.9',
      '::ffff:cb00:7109',
      '[::ffff:203.0.113.9]:80',
    ])
      expect(address('10.0.0.1', spelling)).toBe('203.0.113.9')
    for (const spelling of [
      '2001:db8::5',
      '2001:0DB8:0:0:0:0:0:5',
      '[2001:db8::5]',
      '[2001:db8::5]:443',
      '2001:db8::5%eth0',
    ])
      expect(address('10.0.0.1', spelling)).toBe('2001:db8::5')
    expect(canonicalAddress('010.0.0.1')).toBeNull()
  })

  test('of an IPv4-mapped peer is checked against IPv4 blocks', () => {
    expect(addressWith(['10.0.0.0/8'])('::ffff:10.1.2.3', '203.0.113.9')).toBe('203.0.113.9')
    expect(addressWith(['10.0.0.0/8'])('::ffff:0a01:0203', '203.0.113.9')).toBe('203.0.113.9')
  })
})

describe('TRUSTED_PROXIES', () => {
  test('is none, or a list of addresses and CIDR blocks', () => {
    expect(parseTrustedProxies('none')).toEqual([])
    expect(parseTrustedProxies(' 10.0.0.1, 10.244.0.0/16,fd00::/8 ')).toEqual([
      '10.0.0.1',
      '10.244.0.0/16',
      'fd00::/8',
    ])
  })

  test('with an invalid entry is rejected with the entry in the message', () => {
    for (const entry of [
      '10.0.0.0/',
      '10.0.0.0/33',
      '10.0.0.0/8/9',
      '10.0.0.0/-1',
      '10.0.0.0/x',
      'fd00::/129',
      'proxy',
      'NONE',
      '10.0.0',
    ])
      expect(() => parseTrustedProxies(`10.1.1.1,${entry}`)).toThrow(entry)
    expect(() => parseTrustedProxies('none,10.0.0.1')).toThrow('none is neither')
    expect(() => parseTrustedProxies(',')).toThrow('must be none')
  })

  test('never trusts all addresses', () => {
    for (const entry of ['0.0.0.0/0', '::/0', '10.0.0.0/00'])
      expect(() => parseTrustedProxies(entry)).toThrow('trusts every address')
  })
})

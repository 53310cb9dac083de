import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import ipaddr from 'ipaddr.js'
import { parseOwnAddresses, refuseAddress } from './address-rule.ts'
import { ipv4SpecialBlocks, ipv6SpecialBlocks } from './special-blocks.ts'

const production = { allowPrivate: false, own: [] }
const development = { allowPrivate: true, own: [] }
const allowed = (address: string) => refuseAddress(address, production) === null

const toNumber = (bytes: number[]) => bytes.reduce((sum, byte) => (sum << 8n) | BigInt(byte), 0n)
function fromNumber(value: bigint, length: 4 | 16): string {
  const bytes = Array.from({ length }, (_, i) => Number((value >> BigInt(8 * (length - 1 - i))) & 0xffn))
  return ipaddr.fromByteArray(bytes).toString()
}

describe('addresses of the special-purpose registries', () => {
  // First and last address of the block, and its neighbours on both sides. A neighbour that is in another special block
  // is named.
  const edges: [cidr: string, before: string | null, after: string | null][] = [
    ['0.0.0.0/8', null, '1.0.0.0'],
    ['10.0.0.0/8', '9.255.255.255', '11.0.0.0'],
    ['100.64.0.0/10', '100.63.255.255', '100.128.0.0'],
    ['127.0.0.0/8', '126.255.255.255', '128.0.0.0'],
    ['169.254.0.0/16', '169.253.255.255', '169.255.0.0'],
    ['172.16.0.0/12', '172.15.255.255', '172.32.0.0'],
    ['192.0.0.0/24', '191.255.255.255', '192.0.1.0'],
    ['192.0.2.0/24', '192.0.1.255', '192.0.3.0'],
    ['192.31.196.0/24', '192.31.195.255', '192.31.197.0'],
    ['192.52.193.0/24', '192.52.192.255', '192.52.194.0'],
    ['192.88.99.0/24', '192.88.98.255', '192.88.100.0'],
    ['192.168.0.0/16', '192.167.255.255', '192.169.0.0'],
    ['192.175.48.0/24', '192.175.47.255', '192.175.49.0'],
    ['198.18.0.0/15', '198.17.255.255', '198.20.0.0'],
    ['198.51.100.0/24', '198.51.99.255', '198.51.101.0'],
    ['203.0.113.0/24', '203.0.112.255', '203.0.114.0'],
    ['224.0.0.0/3', '223.255.255.255', null],
    ['2001::/23', '2000:ffff:ffff:ffff:ffff:ffff:ffff:ffff', '2001:200::'],
    ['2001:db8::/32', '2001:db7:ffff:ffff:ffff:ffff:ffff:ffff', '2001:db9::'],
    ['2002::/16', '2001:ffff:ffff:ffff:ffff:ffff:ffff:ffff', '2003::'],
    ['2620:4f:8000::/48', '2620:4f:7fff:ffff:ffff:ffff:ffff:ffff', '2620:4f:8001::'],
    ['3fff::/20', '3ffe:ffff:ffff:ffff:ffff:ffff:ffff:ffff', '3fff:1000::'],
    ['::/3', null, '2000::'],
    ['4000::/2', '3fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff', null],
  ]
  test.each(edges)('%s is rejected up to its edges and not beyond', (cidr, before, after) => {
    const [network, bits] = ipaddr.parseCIDR(cidr)
    const length = network.kind() === 'ipv4' ? 4 : 16
    const first = toNumber(network.toByteArray())
    const last = first + (1n << BigInt(length * 8 - bits)) - 1n
    expect(allowed(fromNumber(first, length))).toBe(false)
    expect(allowed(fromNumber(last, length))).toBe(false)
    if (before !== null) {
      expect(toNumber(ipaddr.parse(before).toByteArray())).toBe(first - 1n)
      expect(allowed(before)).toBe(true)
    }
    if (after !== null) {
      expect(toNumber(ipaddr.parse(after).toByteArray())).toBe(last + 1n)
      expect(allowed(after)).toBe(true)
    }
  })

  test('nothing inside any special block is allowed', () => {
    const blocks = fc.constantFrom(...ipv4SpecialBlocks, ...ipv6SpecialBlocks)
    fc.assert(
      fc.property(blocks, fc.bigInt({ min: 0n, max: (1n << 128n) - 1n }), ({ network, bits }, noise) => {
        const length = network.kind() === 'ipv4' ? 4 : 16
        const size = 1n << BigInt(length * 8 - bits)
        const address = fromNumber(toNumber(network.toByteArray()) + (noise % size), length)
        expect(allowed(address)).toBe(false)
      }),
      { numRuns: 600 },
    )
  })

  test('an IPv4 address embedded in any IPv6 form is rejected, even a public one', () => {
    const octet = fc.integer({ min: 0, max: 255 })
    fc.assert(
      fc.property(fc.tuple(octet, octet, octet, octet), (octets) => {
        const hex = octets.map((o) => o.toString(16).padStart(2, '0')).join('')
        const [high, low] = [hex.slice(0, 4), hex.slice(4)]
        const inverted = octets.map((o) => (o ^ 0xff).toString(16).padStart(2, '0')).join('')
        for (const address of [
          `::ffff:${octets.join('.')}`,
          `::${octets.join('.')}`,
          `::ffff:0:${high}:${low}`,
          `64:ff9b::${high}:${low}`,
          `64:ff9b:1::${high}:${low}`,
          `2002:${high}:${low}::1`,
          `2001:0:4136:e378:8000:63bf:${inverted.slice(0, 4)}:${inverted.slice(4)}`,
          `2606:4700::5efe:${high}:${low}`,
          `2606:4700::200:5efe:${high}:${low}`,
        ]) {
          expect(allowed(address)).toBe(false)
        }
      }),
      { numRuns: 200 },
    )
  })

  test('outside 2000::/3 no IPv6 address is allowed', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: (1n << 128n) - 1n }), (value) => {
        const inGlobalUnicast = value >> 125n === 1n
        if (!inGlobalUnicast) expect(allowed(fromNumber(value, 16))).toBe(false)
      }),
      { numRuns: 600 },
    )
  })
})

describe('text that is not an address', () => {
  test.each([
    '',
    '127.1',
    '0x7f.0.0.1',
    '0177.0.0.1',
    '2130706433',
    '8.8.8.8.',
    'fe80::1%eth0',
    '1.2.3.4/32',
    'x',
  ])('refuses %p', (text) => expect(refuseAddress(text, production)).toBe('unreadable_address'))
  test('never throws', () => {
    fc.assert(fc.property(fc.string(), (text) => void refuseAddress(text, production)))
  })
})

describe('development mode', () => {
  test.each([
    '127.0.0.1',
    '127.8.8.8',
    '::1',
    '10.1.2.3',
    '172.18.0.5',
    '192.168.1.50',
    'fd12::1',
    '8.8.8.8',
  ])('allows %s', (address) => expect(refuseAddress(address, development)).toBeNull())
  test.each([
    '169.254.169.254', '169.254.170.2', '169.254.0.23', 'fe80::a9fe:a9fe', 'fd00:ec2::254', 'fd20:ce::254',
    'fd00:42::42', '100.100.100.200', '168.63.129.16', '192.0.0.192', 'fd00:c1::a9fe:a9fe',
  ])('rejects the metadata address %s as in production', (address) => {
    expect(refuseAddress(address, development)).toBe('metadata_address')
    expect(refuseAddress(address, production)).toBe('metadata_address')
  }) // biome-ignore format: a list
  test.each([
    '0.0.0.0',
    '::',
    '224.0.0.1',
    'ff02::1',
    '255.255.255.255',
    '::ffff:127.0.0.1',
    '64:ff9b::7f00:1',
    '2002:7f00:1::',
  ])('does not allow multicast, unspecified or embedded addresses: %s', (address) =>
    expect(refuseAddress(address, development)).toBe('non_public_address'),
  )
})

describe('the service itself', () => {
  const own = parseOwnAddresses(['8.8.4.100', '2606:4700:4700::64', '1.1.0.0/24'])
  test.each(['8.8.4.100', '2606:4700:4700::64', '2606:4700:4700:0:0:0:0:64', '1.1.0.9'])(
    'refuses %s',
    (address) => {
      expect(refuseAddress(address, { allowPrivate: false, own })).toBe('own_address')
    },
  )
  test.each(['8.8.4.101', '8.8.4.99', '1.1.1.0'])('allows its neighbour %s', (address) => {
    expect(refuseAddress(address, { allowPrivate: false, own })).toBeNull()
  })
  test('an unreadable entry prevents startup', () => {
    expect(() => parseOwnAddresses(['gateway.example.com'])).toThrow('gateway.example.com')
  })
})

import { expect, test } from '@jest/globals'
import { addressBlock } from './address-block.ts'

test('all addresses of one IPv6 /64 count as one client, in every spelling', () => {
  const block = '2001:db8:1:2::/64'
  for (const address of ['2001:db8:1:2::1', '2001:0DB8:0001:0002:ffff:0:0:1', '2001:db8:1:2:3:4:5:6'])
    expect(addressBlock(address)).toBe(block)
  expect(addressBlock('2001:db8:1:3::1')).not.toBe(block)
  expect(addressBlock('::1')).toBe('0:0:0:0::/64')
})

test('each IPv4 address counts as one client', () => {
  expect(addressBlock('198.51.100.7')).toBe('198.51.100.7')
})

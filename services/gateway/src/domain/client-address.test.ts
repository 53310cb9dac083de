import { expect, test } from '@jest/globals'
import { createClientAddress } from './client-address.ts'

test('without trusted proxies a forged header changes nothing', () => {
  expect(createClientAddress([])('198.51.100.7', '203.0.113.9')).toBe('198.51.100.7')
})

test('a trusted proxy is believed about the hop before it, and no further', () => {
  const clientAddress = createClientAddress(['10.0.0.0/8'])
  expect(clientAddress('10.1.2.3', '203.0.113.9, 198.51.100.7')).toBe('198.51.100.7')
  expect(clientAddress('10.1.2.3', '203.0.113.9, 10.9.9.9')).toBe('203.0.113.9')
  expect(clientAddress('198.51.100.7', '203.0.113.9')).toBe('198.51.100.7')
})

test('a header that does not parse leaves the last address that did', () => {
  const clientAddress = createClientAddress(['10.0.0.1', 'fd00::/8'])
  expect(clientAddress('::ffff:10.0.0.1', 'unknown')).toBe('10.0.0.1')
  expect(clientAddress('fd00::1', '2001:db8::5')).toBe('2001:db8::5')
  expect(clientAddress(undefined, '203.0.113.9')).toBeNull()
})

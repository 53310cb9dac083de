import { IncomingMessage } from 'node:http'
import { Socket } from 'node:net'
import { expect, test } from '@jest/globals'
import { createRouteTable, type Route } from '../domain/route-table.ts'
import { createCallers } from './callers.ts'

const callers = createCallers({ knownTokenOf: () => undefined })
const callerOf = (address: string) => {
  const route = createRouteTable()('POST', '/console/api/login') as Route
  return callers.of(new IncomingMessage(new Socket()), route, undefined, address)
}

test('the addresses of one IPv6 /64 take one share, those of another a share of their own', () => {
  expect(callerOf('2001:db8:1:2::1')).toBe(callerOf('2001:db8:1:2:ffff::9'))
  expect(callerOf('2001:db8:1:3::1')).not.toBe(callerOf('2001:db8:1:2::1'))
})

test('every IPv4 address takes a share of its own', () => {
  expect(callerOf('198.51.100.7')).not.toBe(callerOf('198.51.100.8'))
})

import { describe, expect, test } from '@jest/globals'
import { allEndpoints } from '@kyc/common'
import { createHostRule } from './host-rule.ts'
import { createRouteTable } from './route-table.ts'

const routeOf = createRouteTable()
const hosts = { api: 'api.example.org', flow: 'verify.example.org', console: 'console.example.org' }
type Application = keyof typeof hosts

const routes = allEndpoints.map((endpoint) => {
  const method = endpoint.method.toUpperCase()
  const path = endpoint.path.replace(/:\w+/g, 'x_1')
  return { method, path, route: routeOf(method, path) }
})
const applicationOf = (service: string): Application =>
  service === 'flow' || service === 'console' ? service : 'api'

describe('with a host name for each application', () => {
  const isServed = createHostRule({
    publicUrl: `https://${hosts.api}`,
    flowUrl: `https://${hosts.flow}:8443/`,
    consoleUrl: `https://${hosts.console}`,
  })

  test.each(routes)('$method $path is served on the host of its application only', ({ path, route }) => {
    if (!route) throw new Error(`no route for ${path}`)
    const own = applicationOf(route.service)
    for (const [application, host] of Object.entries(hosts)) {
      const expected = application === own || path === '/health'
      expect([host, isServed(host, route)]).toEqual([host, expected])
      expect(isServed(`${host.toUpperCase()}:8443`, route)).toBe(expected)
    }
    for (const other of [undefined, '', '203.0.113.9', `${hosts[own]}.attacker.example`, `x.${hosts[own]}`])
      expect(isServed(other, route)).toBe(path === '/health')
  })

  test('pages and assets are served on the host of their application', () => {
    for (const [path, own] of [
      ['/flow-assets/app.js', 'flow'],
      ['/console/queue', 'console'],
      ['/docs', 'api'],
    ] as const) {
      const route = routeOf('GET', path)
      if (!route) throw new Error(`no route for ${path}`)
      for (const [application, host] of Object.entries(hosts))
        expect([path, host, isServed(host, route)]).toEqual([path, host, application === own])
    }
  })
})

describe('with a separate host name for the console only', () => {
  const isServed = createHostRule({
    publicUrl: `https://${hosts.api}`,
    flowUrl: undefined,
    consoleUrl: `https://${hosts.console}`,
  })

  test('the flow shares the host of the API and is not served on the console’s', () => {
    for (const { path, route } of routes) {
      if (!route || path === '/health') continue
      expect([path, isServed(hosts.api, route)]).toEqual([path, route.service !== 'console'])
      expect([path, isServed(hosts.console, route)]).toEqual([path, route.service === 'console'])
    }
  })
})

test('accepts every host name if all applications share one, because a local machine has several names', () => {
  const isServed = createHostRule({
    publicUrl: 'http://localhost:8080',
    flowUrl: 'http://localhost:8080',
    consoleUrl: undefined,
  })
  for (const { route } of routes)
    for (const host of [undefined, '127.0.0.1:8080', 'localhost:8080', 'laptop.local'])
      expect(route && isServed(host, route)).toBe(true)
})

import { expect, test } from '@jest/globals'
import { allConsoleEndpoints, allEndpoints } from '@kyc/common'
import { createRouteTable } from './route-table.ts'

const routeOf = createRouteTable()

const declared = [...allEndpoints, ...allConsoleEndpoints]

test.each(declared.map((endpoint) => [endpoint.operationId, endpoint] as const))(
  '%s is routed to its service',
  (operationId, endpoint) => {
    const path = endpoint.path.replace(/:\w+/g, 'x_1')
    expect(routeOf(endpoint.method.toUpperCase(), path)).toMatchObject({
      operation: operationId,
      service: endpoint.service,
    })
  },
)

test('a path or method without a contract has no route', () => {
  for (const [method, path] of [
    ['PUT', '/v1/sessions'],
    ['GET', '/v1/sessions/'],
    ['GET', '/v1//sessions'],
    ['GET', '/v2/sessions'],
    ['TRACE', '/health'],
    ['GET', '/ready'],
    ['GET', '/metrics'],
  ] as const) {
    expect(routeOf(method, path)).toBeUndefined()
  }
})

test('routes pages by their prefix, and only for reading', () => {
  for (const [path, service] of [
    ['/console', 'console'],
    ['/console/', 'console'],
    ['/console/queue', 'console'],
    ['/flow-assets/x.js', 'flow'],
    ['/docs', 'gateway'],
    ['/docs/webhooks', 'gateway'],
  ] as const) {
    expect(routeOf('GET', path)).toMatchObject({ service, body: 'none' })
    expect(routeOf('HEAD', path)).toMatchObject({ service, method: 'GET' })
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])
      expect(routeOf(method, path)).toBeUndefined()
  }
  expect(routeOf('GET', '/consoles')).toBeUndefined()
})

test('a console API path without a contract is not served as a page', () => {
  for (const path of [
    '/console/api',
    '/console/api/',
    '/console/api/nothing',
    '/console/API/me',
    '/console/api/me/',
  ])
    expect(routeOf('GET', path)).toBeUndefined()
})

test('HEAD is routed as GET, and only where GET exists', () => {
  expect(routeOf('HEAD', '/v1/sessions')).toEqual(routeOf('GET', '/v1/sessions'))
  expect(routeOf('HEAD', '/v1/checks/pan')).toBeUndefined()
})

test('accepts a body if the contract has one, and never on GET and DELETE', () => {
  for (const endpoint of declared) {
    const path = endpoint.path.replace(/:\w+/g, 'x_1')
    const { body } = routeOf(endpoint.method.toUpperCase(), path) ?? {}
    const has = 'body' in endpoint || 'multipart' in endpoint
    const withoutBody = endpoint.method === 'get' || endpoint.method === 'delete'
    expect([endpoint.operationId, body]).toEqual([
      endpoint.operationId,
      has ? 'content' : withoutBody ? 'none' : 'empty',
    ])
  }
})

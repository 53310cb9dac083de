import { expect, test } from '@jest/globals'
import { allEndpoints } from '@kyc/common'
import { createRouteTable } from './route-table.ts'

const routeOf = createRouteTable()

test.each(allEndpoints.map((endpoint) => [endpoint.operationId, endpoint] as const))(
  '%s is routed to its owner',
  (operationId, endpoint) => {
    const path = endpoint.path.replace(/:\w+/g, 'x_1')
    expect(routeOf(endpoint.method.toUpperCase(), path)).toMatchObject({
      operation: operationId,
      service: endpoint.service,
    })
  },
)

test('what no contract declares has no route', () => {
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

test('pages are routed by their prefix', () => {
  expect(routeOf('GET', '/console/queue')).toMatchObject({ service: 'console' })
  expect(routeOf('GET', '/consoles')).toBeUndefined()
})

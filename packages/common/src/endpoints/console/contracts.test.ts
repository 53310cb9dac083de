import { describe, expect, test } from '@jest/globals'
import { z } from 'zod'
import { consoleActions, consoleRoles, mayDo } from '../../domain/console-permissions.ts'
import { allEndpoints } from '../index.ts'
import { allConsoleEndpoints } from './index.ts'
import { appPath } from './parts.ts'

const each = allConsoleEndpoints.map((endpoint) => [endpoint.operationId, endpoint] as const)

test('no two console endpoints share a method and path', () => {
  const routes = allConsoleEndpoints.map(({ method, path }) => `${method} ${path.replace(/:\w+/g, ':')}`)
  expect(routes.filter((route, at) => routes.indexOf(route) !== at)).toEqual([])
})

test('a literal path is never shadowed by a parameter declared before it', () => {
  for (const [at, { method, path, operationId }] of allConsoleEndpoints.entries()) {
    const form = new RegExp(`^${path.replace(/:\w+/g, '[^/]+')}$`)
    const later = allConsoleEndpoints.slice(at + 1).filter((other) => other.method === method)
    const taken = later.filter((other) => form.test(other.path)).map((other) => other.operationId)
    expect({ operationId, taken }).toEqual({ operationId, taken: [] })
  }
})

describe.each(each)('%s', (_, endpoint) => {
  test('declares who can call it, and belongs to the console', () => {
    expect([endpoint.caller, endpoint.service]).toEqual(['console', 'console'])
    expect(endpoint.access).toBeDefined()
    expect(endpoint.path).toMatch(/^\/console\/api\//)
  })

  test('declares every parameter of its path', () => {
    const named = [...endpoint.path.matchAll(/:(\w+)/g)].map((match) => match[1])
    const declared = endpoint.params instanceof z.ZodObject ? Object.keys(endpoint.params.shape) : []
    expect(declared.sort()).toEqual(named.sort())
  })

  test('of an app requires a role and declares the error for an unknown app', () => {
    if (!endpoint.path.startsWith(appPath)) return
    expect(endpoint.access?.action).not.toBeNull()
    expect(endpoint.errors).toContain('not_found')
  })

  test('that changes something is never a GET', () => {
    const action = endpoint.access?.action
    if (endpoint.method === 'get' && action) expect(action).toMatch(/\.read$/)
  })
})

test('the public API has no console endpoint', () => {
  expect(allEndpoints.filter((endpoint) => endpoint.access || endpoint.caller === 'console')).toEqual([])
})

describe('roles', () => {
  test('an owner can do everything, and each role everything that the role below can', () => {
    for (const action of Object.keys(consoleActions) as (keyof typeof consoleActions)[]) {
      const allowed = consoleRoles.map((role) => mayDo(role, action))
      expect(allowed).toEqual([...allowed].sort())
      expect(allowed.at(-1)).toBe(true)
    }
  })

  test.each([
    ['session.decide', ['reviewer', 'admin', 'owner']],
    ['aml_match.review', ['reviewer', 'admin', 'owner']],
    ['session.purge', ['admin', 'owner']],
    ['workflow.write', ['admin', 'owner']],
    ['key.write', ['admin', 'owner']],
    ['delivery.redeliver', ['admin', 'owner']],
    ['retention.write', ['owner']],
    ['webhook.rotate_secret', ['owner']],
    ['app.create', ['owner']],
  ] as const)('%s is allowed for %j', (action, roles) => {
    expect(consoleRoles.filter((role) => mayDo(role, action))).toEqual(roles)
  })
})

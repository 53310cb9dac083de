import { describe, expect, test } from '@jest/globals'
import express from 'express'
import supertest from 'supertest'
import { deviceOf, rememberDevice } from './device-cookie.ts'

const secret = 'a'.repeat(43)

/** An application that sets the cookie at one path and returns the value it reads at another. */
function appAt(flowUrl: string) {
  const app = express()
  app.get('/set', (_request, response) => {
    rememberDevice(response, flowUrl, 'token', secret)
    response.end()
  })
  app.get('/read', (request, response) => {
    response.json({ device: deviceOf(request, flowUrl) })
  })
  return supertest(app)
}

describe('the cookie of a device that confirmed a hand-off', () => {
  test('is Secure, HttpOnly, SameSite=Strict, prefixed and limited to its link over TLS', async () => {
    const { headers } = await appAt('https://verify.example.com').get('/set')
    const [cookie = ''] = headers['set-cookie'] as unknown as string[]
    expect(cookie).toMatch(/^__Secure-flow_device=a{43}; /)
    for (const attribute of ['Path=/flow/token', 'HttpOnly', 'Secure', 'SameSite=Strict'])
      expect(cookie.split('; ')).toContain(attribute)
  })

  test('has neither prefix nor Secure without TLS, as on a developer’s machine', async () => {
    const { headers } = await appAt('http://localhost:8080').get('/set')
    const [cookie = ''] = headers['set-cookie'] as unknown as string[]
    expect(cookie).toMatch(/^flow_device=/)
    expect(cookie).not.toContain('Secure')
  })

  test.each<[string, string, string | null]>([
    ['with its prefix', `a=1; __Secure-flow_device=${secret}; b=2`, secret],
    ['without the prefix, as a page without TLS could set it', `flow_device=${secret}`, null],
    [
      'twice, of which one was set by somebody else',
      `__Secure-flow_device=${secret}; __Secure-flow_device=x`,
      null,
    ],
    ['as the end of another name', `not__Secure-flow_device=${secret}`, null],
    ['with characters that no secret has', '__Secure-flow_device=<script>alert(1)</script>', null],
  ])('is parsed over TLS %s: %s', async (_, cookie, expected) => {
    const { body } = await appAt('https://verify.example.com').get('/read').set('cookie', cookie)
    expect(body).toEqual({ device: expected })
  })
})

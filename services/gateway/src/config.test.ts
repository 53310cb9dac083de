import { describe, expect, test } from '@jest/globals'
import { readConfig } from './config.ts'

const complete = {
  DATABASE_URL: 'postgresql://x',
  RABBITMQ_URL: 'amqp://x',
  INTERNAL_IDENTITY_PUBLIC_KEY: '{}',
  INTERNAL_IDENTITY_PRIVATE_KEY: '{}',
  SESSION_URL: 'http://session:8080',
  CHECKS_URL: 'http://checks:8080',
  FACE_BIOMETRICS_URL: 'http://face-biometrics:8080',
  SANCTIONS_SCREENING_URL: 'http://sanctions-screening:8080',
  WEBHOOK_DISPATCHER_URL: 'http://webhook-dispatcher:8080',
  FLOW_SERVICE_URL: 'http://flow:8080',
  CONSOLE_SERVICE_URL: 'http://console:8080',
}
const read = (change: Record<string, string | undefined>) => readConfig({ ...complete, ...change })

describe('the client-address policy', () => {
  test('is required in production: a gateway without it does not start', () => {
    for (const TRUSTED_PROXIES of [undefined, ''])
      expect(() => read({ NODE_ENV: 'production', TRUSTED_PROXIES })).toThrow(
        /TRUSTED_PROXIES: must be set in production/,
      )
  })

  test('can be none, or a list of proxies', () => {
    expect(read({ NODE_ENV: 'production', TRUSTED_PROXIES: 'none' }).TRUSTED_PROXIES).toEqual([])
    expect(read({ NODE_ENV: 'production', TRUSTED_PROXIES: '10.244.0.0/16' }).TRUSTED_PROXIES).toEqual([
      '10.244.0.0/16',
    ])
  })

  test('with an invalid entry is rejected with the entry in the message', () => {
    expect(() => read({ TRUSTED_PROXIES: '10.0.0.1,the-ingress' })).toThrow(
      'TRUSTED_PROXIES: the-ingress is neither an address nor a CIDR block',
    )
  })

  test('defaults to none in development', () => {
    expect(read({}).TRUSTED_PROXIES).toEqual([])
    expect(read({ NODE_ENV: 'development' }).TRUSTED_PROXIES).toEqual([])
  })
})

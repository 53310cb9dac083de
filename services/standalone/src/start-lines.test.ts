import { expect, test } from '@jest/globals'
import { startLines } from './start-lines.ts'

const app = {
  base_url: 'http://localhost:8080',
  api_key: 'kyc_test_secret',
  webhook_secret: 'whsec_secret',
  console: { email: 'owner@localhost.localdomain', password: 'a secret' },
}
const options = { dataDir: '/data', consoleUrl: undefined, toTerminal: false }

test('a start prints no credentials unless a person reads them at a terminal', () => {
  for (const created of [true, false]) {
    const text = startLines({ app, created }, options).join('\n')
    expect(text).not.toContain('secret')
    expect(text).toContain('Ready at http://localhost:8080')
    expect(text.includes('/data/standalone.json')).toBe(created)
  }
  expect(startLines({ app, created: false }, { ...options, toTerminal: true }).join('\n')).not.toContain(
    'secret',
  )
})

test('the first start shows the credentials at a terminal', () => {
  const text = startLines({ app, created: true }, { ...options, toTerminal: true }).join('\n')
  for (const value of [app.api_key, app.webhook_secret, app.console.password, '/console'])
    expect(text).toContain(value)
})

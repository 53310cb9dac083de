import { expect, test } from '@jest/globals'
import { describeFirstApp } from './first-start.ts'

const app = {
  base_url: 'http://localhost:8080',
  api_key: 'test_key_of_the_first_app',
  webhook_secret: 'secret_of_its_webhooks',
  console: { email: 'owner@localhost.localdomain', password: 'password of its owner' },
}
const secrets = [app.api_key, app.webhook_secret, app.console.password]
const describe = (isTerminal: boolean) =>
  describeFirstApp(app, { file: '/data/standalone.json', consoleUrl: undefined, isTerminal }).join('\n')

test('prints the secrets of the first app to a terminal', () => {
  const text = describe(true)
  for (const secret of secrets) expect(text).toContain(secret)
  expect(text).toContain('http://localhost:8080/console')
})

test('prints only the path of the file to anything that is not a terminal', () => {
  const text = describe(false)
  for (const secret of secrets) expect(text).not.toContain(secret)
  expect(text).toContain('/data/standalone.json')
})

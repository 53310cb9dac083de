import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from '@jest/globals'
import { generateIdentityKeys } from '@kyc/http'
import { createTestDatabase } from '@kyc/testing'
import { startProcess } from './support/process.ts'

test('a service that logs to a pipe, like in a container, loads the SDK of object storage and connects to the server', async () => {
  const asked: string[] = []
  const storage = createServer((request, response) => {
    asked.push(`${request.method} ${request.url?.split('/')[1]}`)
    response.writeHead(403, { connection: 'close' }).end()
  })
  storage.listen(0, '127.0.0.1')
  await once(storage, 'listening')
  const { port } = storage.address() as AddressInfo
  const [database, keys] = await Promise.all([createTestDatabase(), generateIdentityKeys()])
  const service = startProcess('session', {
    PORT: '0',
    METRICS_PORT: '0',
    DATABASE_URL: database.url,
    RABBITMQ_URL: 'amqp://127.0.0.1:1',
    PUBLIC_URL: 'http://127.0.0.1',
    INTERNAL_IDENTITY_PUBLIC_KEY: keys.publicKey,
    VAULT_STORE: `s3://evidence?endpoint=http://127.0.0.1:${port}&region=us-east-1`,
    VAULT_KEY: randomBytes(32).toString('base64'),
    AWS_ACCESS_KEY_ID: 'example',
    AWS_SECRET_ACCESS_KEY: 'example',
  })
  const [code] = (await once(service.child, 'exit')) as [number | null]
  storage.close()
  await database.drop()
  expect(asked).toContain('GET evidence')
  expect(service.output()).toContain('the service could not start')
  expect(code).toBe(1)
}, 60_000)

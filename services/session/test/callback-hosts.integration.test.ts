import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { appConfigured } from '@kyc/common'
import { type SessionHarness, startSessionService } from './harness.ts'

let harness: SessionHarness
beforeAll(async () => {
  harness = await startSessionService()
})
afterAll(() => harness.close())

const create = (callback_url: string) =>
  harness.api.post('/v1/sessions').set(harness.headers).send({ callback_url })

/** Publishes the app's settings as the console does. */
async function allow(callback_hosts: string[] | null, revision: number): Promise<void> {
  await harness.database.transaction((tx) =>
    harness.outbox.append(tx, appConfigured, {
      app_id: harness.appId,
      revision,
      environment: 'test',
      name: 'Example',
      logo_url: null,
      accent: null,
      retention_days: 30,
      callback_hosts,
    }),
  )
  await harness.drain()
}

test('accepts only callback hosts that the app allows, once it has set any', async () => {
  await create('https://anything.example/back').expect(201)
  await allow(['shop.example.com', 'xn--bcher-kva.example'], 2)
  await create('https://shop.example.com/back?order=1').expect(201)
  await create('https://SHOP.example.com:8443/').expect(201)
  await create('https://bücher.example/').expect(201)
  for (const url of [
    'https://anything.example/back',
    'https://evil.shop.example.com/',
    'https://shop.example.com.evil.example/',
    'https://shop.example.com@evil.example/',
    'https://evil.example/shop.example.com',
    'https://evil.example#shop.example.com',
    'https://evil.example\\shop.example.com/',
  ]) {
    const answer = await create(url).expect(400)
    expect(answer.body.error.code).toBe('bad_request')
  }
  // A session without a callback_url is not affected.
  await harness.api.post('/v1/sessions').set(harness.headers).send({}).expect(201)
  await allow([], 3)
  await create('https://shop.example.com/').expect(400)
  await allow(null, 4)
  await create('https://anything.example/back').expect(201)
})

import { randomUUID } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import { createServer } from 'node:net'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals'
import { newId } from '@kyc/runtime'
import { answering, type Dispatcher, type Receiver, startDispatcher, startReceiver } from './dispatcher.ts'

let dispatcher: Dispatcher
let receiver: Receiver
beforeAll(async () => {
  dispatcher = await startDispatcher({ WEBHOOK_TIMEOUT_MS: '2000' })
})
afterAll(() => dispatcher.close())
beforeEach(async () => {
  receiver = await startReceiver()
})
afterEach(() => receiver.close())

async function firstAttempt(url: string) {
  const { app_id } = await dispatcher.app(url)
  await dispatcher.announce({ app_id })
  await dispatcher.drain()
  const { data } = await dispatcher.deliveries(app_id)
  return { delivery: data[0]!, attempt: data[0]!.attempts[0]! }
}

describe('an attempt is counted and the next one follows the schedule when the receiver', () => {
  const inThirtySeconds = () =>
    `${new Date(dispatcher.clock.now().getTime() + 30_000).toISOString().slice(0, 19)}Z`

  test.each<[string, Receiver['answer'], object]>([
    ['answers 500', answering(500, 'x'), { status_code: 500, error: null, response_excerpt: 'x' }],
    [
      'answers 429 with a time',
      (_, res) => void res.writeHead(429, { 'retry-after': '7200' }).end(),
      { status_code: 429 },
    ],
    ['answers 410', answering(410), { status_code: 410 }],
    [
      'hangs',
      () => {},
      { status_code: null, error: expect.stringMatching(/^timeout: /), response_excerpt: null },
    ],
    [
      'drips its body',
      (_, res) => {
        res.writeHead(200, { 'content-length': '200' })
        const timer = setInterval(() => res.write('x'), 20)
        res.once('close', () => clearInterval(timer))
      },
      {
        status_code: 200,
        error: expect.stringMatching(/^timeout: /),
        response_excerpt: expect.stringMatching(/^x+$/),
      },
    ],
    [
      'resets',
      (_, res) => void res.socket?.resetAndDestroy(),
      { status_code: null, error: expect.stringMatching(/^connection_reset: /) },
    ],
    [
      'closes after its headers',
      (_, res) => {
        res.writeHead(200, { 'content-length': '9' }).flushHeaders()
        res.socket?.end()
      },
      { status_code: 200, error: expect.stringMatching(/^connection_reset: /) },
    ],
  ])('%s', async (_, answer, expected) => {
    receiver.answer = answer
    const { delivery, attempt } = await firstAttempt(receiver.url)
    expect(delivery).toMatchObject({ status: 'pending', next_attempt_at: inThirtySeconds() })
    expect(attempt).toMatchObject({ number: 1, ...expected })
    expect(receiver.received).toHaveLength(1)
  })

  test('refuses the connection', async () => {
    await receiver.close()
    const { delivery, attempt } = await firstAttempt(receiver.url)
    expect(attempt).toMatchObject({
      status_code: null,
      error: expect.stringMatching(/^connection_refused: /),
    })
    expect(delivery.next_attempt_at).toBe(inThirtySeconds())
  })

  test('accepts the connection and never reads', async () => {
    const mute = createServer({ pauseOnConnect: true }, () => {})
    await new Promise<void>((ready) => mute.listen(0, '127.0.0.1', ready))
    const address = mute.address()
    const port = typeof address === 'object' && address ? address.port : 0
    const { attempt } = await firstAttempt(`http://127.0.0.1:${port}/`)
    expect(attempt).toMatchObject({ status_code: null, error: expect.stringMatching(/^timeout: /) })
    mute.close()
  })

  test('redirects, and the target is never contacted', async () => {
    const target = await startReceiver()
    receiver.answer = (_, res) => void res.writeHead(307, { location: target.url }).end()
    const { attempt } = await firstAttempt(receiver.url)
    expect(attempt).toMatchObject({ status_code: 307, error: expect.stringMatching(/^redirect: /) })
    expect(target.received).toHaveLength(0)
    await target.close()
  })
})

test('an endless 200 response is a success of which 256 bytes are stored', async () => {
  receiver.answer = (_, res) => {
    const pump = () => {
      while (!res.destroyed && res.write('y'.repeat(65_536)));
    }
    res.on('drain', pump)
    pump()
  }
  const { delivery, attempt } = await firstAttempt(receiver.url)
  expect(delivery.status).toBe('delivered')
  expect(attempt.response_excerpt).toBe('y'.repeat(256))
})

describe('a receiver that hangs', () => {
  test('with a thousand pending deliveries delays no other app', async () => {
    const slow = await startReceiver()
    const held: ServerResponse[] = []
    slow.answer = (_, response) => void held.push(response)
    const dead = await dispatcher.app(slow.url)
    const living = await dispatcher.app(receiver.url)
    await dispatcher.database.query(
      `INSERT INTO delivery (id, app_id, session_id, event, data, created_at, status, next_attempt_at)
       SELECT 'whd_' || lpad(i::text, 24, '0'), $1, NULL, 'ping',
              json_build_object('app_id', $1::text, 'environment', 'test', 'message', 'x'), $2, 'pending', $2
       FROM generate_series(1, 1000) AS i`,
      [dead.app_id, dispatcher.clock.now().toISOString()],
    )
    const arrived = new Promise<void>((done) => {
      receiver.answer = (_, response) => {
        response.end()
        done()
      }
    })
    await dispatcher.announce({ app_id: living.app_id })
    await arrived
    const { rowCount: ended } = await dispatcher.database.query(
      'SELECT 1 FROM delivery_attempt JOIN delivery ON id = delivery_id WHERE app_id = $1',
      [dead.app_id],
    )
    expect(ended).toBe(0)

    slow.answer = (_, response) => void response.socket?.resetAndDestroy()
    for (const response of held) response.socket?.resetAndDestroy()
    await dispatcher.drain()
    // Attempts are spaced after five failures, so the drain ends while nearly all deliveries still wait.
    expect(slow.received.length).toBeLessThan(10)
    const { total } = await dispatcher.deliveries(dead.app_id)
    expect(total).toBe(1000)
    await dispatcher.database.query('DELETE FROM delivery WHERE app_id = $1', [dead.app_id])
    await slow.close()
  })
})

describe('a worker that dies', () => {
  const leaseOf = async (delivery_id: string, leased_until: Date) =>
    dispatcher.database.query(
      `UPDATE delivery SET status = 'delivering', next_attempt_at = NULL, lease_id = $2, leased_until = $3 WHERE id = $1`,
      [delivery_id, randomUUID(), leased_until.toISOString()],
    )

  test('leaves its deliveries to other workers when its leases expire, with no attempt counted', async () => {
    receiver.answer = answering(500)
    const { delivery } = await firstAttempt(receiver.url)
    const { app_id } = (
      await dispatcher.database.query<{ app_id: string }>('SELECT app_id FROM delivery WHERE id = $1', [
        delivery.delivery_id,
      ])
    ).rows[0]!
    await leaseOf(delivery.delivery_id, new Date(dispatcher.clock.now().getTime() + 30_000))
    await dispatcher.drain()
    expect((await dispatcher.deliveries(app_id)).data[0]!.status).toBe('delivering')
    receiver.answer = answering(200)
    dispatcher.clock.advance({ seconds: 30 })
    await dispatcher.drain()
    const { data } = await dispatcher.deliveries(app_id)
    expect(data[0]).toMatchObject({ status: 'delivered', attempts: [{ number: 1 }, { number: 2 }] })
  })

  test('changes nothing when it resumes after its lease was reclaimed', async () => {
    const { app_id } = await dispatcher.app(receiver.url)
    let taken: string | undefined
    receiver.answer = (request, response) => {
      // While this attempt runs, the lease passes to another worker.
      taken = request.body.delivery_id
      void leaseOf(taken, new Date(dispatcher.clock.now().getTime() + 60_000)).then(() => response.end())
    }
    await dispatcher.announce({ app_id, session_id: newId('session') })
    await dispatcher.drain()
    const { data } = await dispatcher.deliveries(app_id)
    expect(data[0]).toMatchObject({ delivery_id: taken, status: 'delivering', attempts: [] })
    receiver.answer = answering(200)
    dispatcher.clock.advance({ seconds: 60 })
    await dispatcher.drain()
    expect((await dispatcher.deliveries(app_id)).data[0]).toMatchObject({
      status: 'delivered',
      attempts: [{ number: 1 }],
    })
  })
})

test('sends the backlog after a year of downtime at the pace of its receiver', async () => {
  const { app_id } = await dispatcher.app(receiver.url)
  receiver.answer = answering(500)
  for (let i = 0; i < 30; i++) await dispatcher.announce({ app_id })
  await dispatcher.drain()
  let together = 0
  let most = 0
  receiver.answer = (_, response) => {
    most = Math.max(most, ++together)
    setImmediate(() => {
      together--
      response.end()
    })
  }
  dispatcher.clock.advance({ days: 365 })
  await dispatcher.drain()
  const { data } = await dispatcher.deliveries(app_id)
  expect(data.filter((item) => item.status !== 'delivered')).toEqual([])
  expect(most).toBeLessThanOrEqual(16)
})

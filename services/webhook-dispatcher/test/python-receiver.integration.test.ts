import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { createInterface, type Interface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals'
import { pingWebhook, rotateWebhookSecret, setWebhookUrl } from '@kyc/common'
import { newId } from '@kyc/runtime'
import { type Dispatcher, decisionOf, startDispatcher } from './dispatcher.ts'

const present = spawnSync('python3', ['--version']).status === 0
if (!present) console.warn('skipped: the independent receiver needs python3')

type Line = { problems: string[]; bytes: string; body: { data: Record<string, unknown> } }

;(present ? describe : describe.skip)('a receiver written in Python', () => {
  let dispatcher: Dispatcher
  const children: ChildProcess[] = []
  beforeAll(async () => {
    dispatcher = await startDispatcher({ WEBHOOK_TIMEOUT_MS: '10000' })
  })
  afterAll(() => dispatcher.close())
  afterEach(() => {
    for (const child of children.splice(0)) child.kill()
  })

  async function start(secret: string) {
    const script = fileURLToPath(new URL('./receiver.py', import.meta.url))
    const now = Math.floor(dispatcher.clock.now().getTime() / 1000)
    const child = spawn('python3', [script, secret, String(now)], { stdio: ['ignore', 'pipe', 'inherit'] })
    children.push(child)
    const lines: Interface = createInterface({ input: child.stdout! })
    const seen: string[] = []
    lines.on('line', (line) => seen.push(line))
    if (seen.length === 0) await once(lines, 'line')
    return {
      url: `http://127.0.0.1:${seen[0]}/`,
      received: () => seen.slice(1).map((line) => JSON.parse(line) as Line),
    }
  }

  test('accepts every delivery, including non-ASCII ones, and reads the intended values', async () => {
    const { app_id, secret } = await dispatcher.app(null)
    const receiver = await start(secret)
    await dispatcher.bus.request(setWebhookUrl, { app_id, url: receiver.url })
    const names = [
      'Zoë 北京',
      'Łukasz Żółć',
      '👩🏽‍🚀 Ångström',
      'עִבְרִית \u2028 line',
      '"\\\u0000\u001f',
      'ß'.repeat(300),
    ]
    for (const name of names) {
      const session_id = newId('session')
      const decision = decisionOf(session_id, name)
      await dispatcher.announce({
        app_id,
        session_id,
        status: 'approved',
        previous_status: 'processing',
        decision,
      })
      await dispatcher.drain()
    }
    await dispatcher.bus.request(pingWebhook, { app_id })
    await dispatcher.drain()
    const received = receiver.received()
    expect(received.flatMap((item) => item.problems)).toEqual([])
    expect(received.slice(0, names.length).map((item) => item.body.data)).toMatchObject(
      names.map((full_name) => ({ vendor_data: 'клиент-7', decision: { identity: { full_name } } })),
    )
    const { data } = await dispatcher.deliveries(app_id)
    expect(data.map((item) => item.status)).toEqual(Array(names.length + 1).fill('delivered'))
  })

  test('rejects a signature by an unknown secret, and the delivery records 400', async () => {
    const { app_id, secret } = await dispatcher.app(null)
    const receiver = await start(secret)
    await dispatcher.bus.request(setWebhookUrl, { app_id, url: receiver.url })
    await dispatcher.bus.request(rotateWebhookSecret, { app_id })
    await dispatcher.bus.request(pingWebhook, { app_id })
    await dispatcher.drain()
    expect(receiver.received().map((item) => item.problems)).toEqual([['signature']])
    expect((await dispatcher.deliveries(app_id)).data[0]!.attempts).toMatchObject([{ status_code: 400 }])
  })
})

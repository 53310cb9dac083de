import { EventEmitter } from 'node:events'
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals'
import { silentLogger } from '@kyc/runtime'
import type { ChannelModel } from 'amqplib'
import { Publisher } from './publisher.ts'

type Confirm = (error: Error | null) => void

/**
 * A broker that accepts publications and confirms those that the test selects. Closing rejects the rest, as amqplib
 * does.
 */
class Broker extends EventEmitter {
  closed = 0
  readonly unconfirmed: Confirm[] = []
  readonly channel = Object.assign(new EventEmitter(), {
    assertExchange: async () => undefined,
    publish: (_exchange: string, _key: string, _content: Buffer, _options: object, confirm: Confirm) => {
      this.unconfirmed.push(confirm)
      return true
    },
  })
  createConfirmChannel = async () => this.channel
  close = async () => {
    if (this.closed > 0) throw new Error('closed already')
    this.closed++
    for (const confirm of this.unconfirmed.splice(0)) confirm(new Error('channel closed'))
    this.channel.emit('close')
    this.emit('close')
  }
}

let broker: Broker
let publisher: Publisher
beforeEach(async () => {
  jest.useFakeTimers()
  broker = new Broker()
  publisher = new Publisher(silentLogger, () => undefined)
  await publisher.setup(broker as unknown as ChannelModel)
})
afterEach(() => {
  jest.useRealTimers()
})

const publish = (messageId: string) =>
  publisher
    .publish('events', 'example.changed.v1', Buffer.from('{}'), { messageId })
    .catch((error: Error) => error.message)

test('reconnects after twenty seconds without a confirm, and rejects pending publications', async () => {
  const waiting = [publish('a'), publish('b')]
  await jest.advanceTimersByTimeAsync(19_000)
  expect(broker.closed).toBe(0)
  await jest.advanceTimersByTimeAsync(4_000)
  expect(broker.closed).toBe(1)
  expect(await Promise.all(waiting)).toEqual(['channel closed', 'channel closed'])
  expect(publisher.connected).toBe(false)
})

test('keeps the connection to a broker that is slow but confirms, or has nothing to confirm', async () => {
  const waiting = Array.from({ length: 4 }, (_, n) => publish(String(n)))
  for (let n = 0; n < 4; n++) {
    await jest.advanceTimersByTimeAsync(15_000)
    broker.unconfirmed.shift()?.(null)
  }
  expect(await Promise.all(waiting)).toEqual(['sent', 'sent', 'sent', 'sent'])
  await jest.advanceTimersByTimeAsync(120_000)
  expect(broker.closed).toBe(0)
})

test('reconnects when the broker keeps rejecting one routing key, even if it accepts others', async () => {
  const refuse = () => broker.unconfirmed.shift()?.(new Error('message nacked'))
  const take = () => broker.unconfirmed.shift()?.(null)
  const publishTo = (key: string) =>
    publisher.publish('events', key, Buffer.from('{}'), {}).catch(() => 'failed')
  const round = async () => {
    const waiting = [publishTo('served'), publishTo('lost')]
    take()
    refuse()
    expect(await Promise.all(waiting)).toEqual(['sent', 'failed'])
    await jest.advanceTimersByTimeAsync(1_000)
  }
  for (let n = 0; n < 5; n++) await round()
  expect(broker.closed).toBe(0)
  await round()
  expect(broker.closed).toBe(1)
})

test('keeps the connection to a broker that rejects occasionally', async () => {
  for (let n = 0; n < 20; n++) {
    const waiting = publish(String(n))
    broker.unconfirmed.shift()?.(n % 2 === 0 ? new Error('message nacked') : null)
    expect(await waiting).toBe(n % 2 === 0 ? 'message nacked' : 'sent')
    await jest.advanceTimersByTimeAsync(4_000)
  }
  expect(broker.closed).toBe(0)
})

test('waits for a broker that reported an alarm; the timeout starts when the alarm ends', async () => {
  const waiting = publish('a')
  broker.emit('blocked')
  await jest.advanceTimersByTimeAsync(300_000)
  expect(broker.closed).toBe(0)
  broker.emit('unblocked')
  await jest.advanceTimersByTimeAsync(15_000)
  expect(broker.closed).toBe(0)
  broker.unconfirmed.shift()?.(null)
  expect(await waiting).toBe('sent')
})

test('rejects a publication on a closed channel immediately', async () => {
  broker.channel.publish = () => {
    throw new Error('Channel closed')
  }
  expect(await publish('a')).toBe('Channel closed')
  await jest.advanceTimersByTimeAsync(60_000)
  expect(broker.closed).toBe(0)
})

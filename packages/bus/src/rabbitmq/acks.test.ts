import { expect, test } from '@jest/globals'
import type { Channel, ConsumeMessage } from 'amqplib'
import fc from 'fast-check'
import { Acks } from './acks.ts'

/** The broker's state of one channel: the unacknowledged tags, by the rules of AMQP 0-9-1. */
function channelOf(tags: number[]) {
  const unacknowledged = new Set(tags)
  const frames: string[] = []
  const channel = {
    ack({ fields }: ConsumeMessage, allUpTo = false) {
      const settled = allUpTo ? tags.filter((tag) => tag <= fields.deliveryTag) : [fields.deliveryTag]
      frames.push(`${fields.deliveryTag}${allUpTo ? '*' : ''}`)
      // Acknowledging the same single tag twice closes the channel.
      if (!allUpTo) expect(unacknowledged.has(fields.deliveryTag)).toBe(true)
      for (const tag of settled) unacknowledged.delete(tag)
    },
    nack: ({ fields }: ConsumeMessage) => void unacknowledged.delete(fields.deliveryTag),
  }
  return { channel: channel as unknown as Channel, unacknowledged, frames }
}

const message = (deliveryTag: number) => ({ fields: { deliveryTag } }) as ConsumeMessage

test('acknowledges exactly the handled messages, in any order', () => {
  const scenario = fc.integer({ min: 1, max: 40 }).chain((count) =>
    fc.record({
      count: fc.constant(count),
      order: fc.shuffledSubarray(Array.from({ length: count }, (_, index) => index + 1)),
      flushEvery: fc.integer({ min: 1, max: 10 }),
    }),
  )
  fc.assert(
    fc.property(scenario, ({ count, order, flushEvery }) => {
      const tags = Array.from({ length: count }, (_, index) => index + 1)
      const { channel, unacknowledged } = channelOf(tags)
      const acks = new Acks(channel)
      for (const tag of tags) acks.delivered(message(tag))
      const left = new Set(tags)
      for (const [index, tag] of order.entries()) {
        acks.ack(message(tag))
        left.delete(tag)
        if (index % flushEvery === 0) acks.flush()
      }
      acks.flush()
      expect(unacknowledged).toEqual(left)
    }),
  )
})

test('a batch is acknowledged with one frame', () => {
  const tags = [1, 2, 3, 4, 5, 6]
  const { channel, frames } = channelOf(tags)
  const acks = new Acks(channel)
  for (const tag of tags) acks.delivered(message(tag))
  for (const tag of [2, 1, 3, 5]) acks.ack(message(tag))
  acks.flush()
  expect(frames).toEqual(['3*', '5'])
})

test('a closed channel is not an error, because the broker redelivers', () => {
  const gone = () => {
    throw new Error('Channel closed')
  }
  const acks = new Acks({ ack: gone, nack: gone } as unknown as Channel)
  acks.delivered(message(1))
  acks.delivered(message(2))
  acks.ack(message(1))
  expect(() => acks.flush()).not.toThrow()
  expect(() => acks.nack(message(2))).not.toThrow()
})

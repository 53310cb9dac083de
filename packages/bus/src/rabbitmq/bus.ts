import { setTimeout as delay } from 'node:timers/promises'
import { type Clock, systemClock } from '@kyc/runtime'
import type { Channel, ChannelModel, RecoveringChannelModel } from 'amqplib'
import type { Bus, BusHooks, Drainable, OutgoingMessage, PublishOutcome, QueueDepth } from '../bus.ts'
import { Subscriptions } from '../delivery.ts'
import { type Responder, requestQueue, responder } from '../requests.ts'
import { defaultRetryTiersMs } from '../retry.ts'
import { type ConnectionOptions, keepConnected, openChannel } from './connection.ts'
import { QueueConsumer } from './consumer.ts'
import { rabbitmqDeadLetters } from './dead-letters.ts'
import { publishOptions } from './message.ts'
import { Publisher } from './publisher.ts'
import { Requester } from './requester.ts'
import { ReplyChannel, RequestConsumer } from './responding.ts'
import { deadQueue, eventExchange, retryQueue } from './topology.ts'

export type RabbitmqBusOptions = ConnectionOptions & {
  /** The name of this process's service: how its connections are called in RabbitMQ. */
  service: string
  clock?: Clock
  retryTiersMs?: readonly number[]
  hooks?: BusHooks
  /** How long `close` waits for handlers in flight (25 s); what is left is delivered again elsewhere. */
  closeTimeoutMs?: number
}

/** Below the relay's lease, so that a publication is over before another relay may repeat it. */
const publishTimeoutMs = 8_000
const drainPauseMs = 5

/** Services in processes of their own, over RabbitMQ. */
export function rabbitmqBus(options: RabbitmqBusOptions): Bus {
  const { service, logger, clock = systemClock, retryTiersMs = defaultRetryTiersMs, hooks = {} } = options
  const subscriptions = new Subscriptions()
  const responders = new Map<string, Responder>()
  const relays = new Set<Drainable>()
  /** What waited in the outboxes while nothing could be published leaves at once, not at the next poll. */
  const flushRelays = () => Promise.all([...relays].map((relay) => relay.flush()))
  const publisher = new Publisher(logger, (blocked) => {
    hooks.onBlocked?.(blocked)
    if (!blocked) void flushRelays()
  })
  const requester = new Requester(logger, hooks)
  const replies = new ReplyChannel(logger)
  let consumers: QueueConsumer[] = []
  let requestConsumers: RequestConsumer[] = []
  let connections: RecoveringChannelModel[] = []
  let consuming: Channel | undefined
  let state: 'new' | 'started' | 'closed' = 'new'

  const assertNew = () => {
    if (state !== 'new') throw new Error('Subscribe and respond before the bus starts')
  }
  const openLook = () => {
    if (!connections[1]) throw new Error('The bus is not started')
    return connections[1].createChannel()
  }

  const setupConsumers = async (model: ChannelModel) => {
    const channel = await openChannel(model, logger)
    channel.on('close', () => {
      if (consuming === channel) consuming = undefined
    })
    for (const consumer of [...consumers, ...requestConsumers]) await consumer.setup(model, channel)
    consuming = channel
  }

  const publishOne = async (message: OutgoingMessage, signal: AbortSignal): Promise<PublishOutcome> => {
    const content = Buffer.from(message.payload)
    const late = new Promise<'failed'>((resolve) => signal.addEventListener('abort', () => resolve('failed')))
    const confirmed = publisher
      .publish(eventExchange, message.name, content, publishOptions(message))
      .catch(() => 'failed' as const)
    const outcome = await Promise.race([confirmed, late])
    hooks.onPublished?.({ name: message.name, outcome })
    return outcome
  }

  const depthOf = async (channel: Channel, { consumer, inFlight }: QueueConsumer): Promise<QueueDepth> => {
    const count = async (queue: string) => (await channel.checkQueue(queue)).messageCount
    let retrying = 0
    for (const delayMs of retryTiersMs) retrying += await count(retryQueue(consumer.queue, delayMs))
    const ready = await count(consumer.queue)
    const dead = await count(deadQueue(consumer.queue))
    const occurred = [...inFlight.values()].map((date) => date.getTime())
    const oldestAgeSeconds =
      occurred.length === 0 ? undefined : Math.max(0, clock.now().getTime() - Math.min(...occurred)) / 1000
    return { queue: consumer.queue, ready, inFlight: inFlight.size, retrying, dead, oldestAgeSeconds }
  }

  return {
    subscribe(contract, subscription) {
      assertNew()
      subscriptions.add(contract, subscription)
    },

    respond(contract, handler, { prefetch } = {}) {
      assertNew()
      const queue = requestQueue(contract)
      if (responders.has(queue)) throw new Error(`${queue} already has a responder`)
      responders.set(queue, responder(contract, handler, logger, prefetch))
    },

    publish(messages) {
      const signal = AbortSignal.timeout(publishTimeoutMs)
      return Promise.all(messages.map((message) => publishOne(message, signal)))
    },

    request: (contract, payload, requestOptions) => requester.request(contract, payload, requestOptions),

    async start() {
      assertNew()
      state = 'started'
      const delivery = { logger, clock, retryTiersMs, hooks }
      consumers = [...subscriptions.queues.values()].map(
        (queue) => new QueueConsumer(queue, publisher, delivery),
      )
      requestConsumers = [...responders.values()].map((each) => new RequestConsumer(each, replies))
      const publishing = await keepConnected(`${service} publishes`, options, async (model) => {
        await replies.setup(model)
        await requester.setup(model)
        await publisher.setup(model)
      })
      publishing.on('connect', () => void flushRelays())
      connections = [publishing, await keepConnected(`${service} consumes`, options, setupConsumers)]
      await Promise.all(connections.map((connection) => connection.waitForConnect()))
    },

    async close() {
      state = 'closed'
      const stopped = Promise.all([...consumers, ...requestConsumers].map((consumer) => consumer.stop()))
      await Promise.race([stopped, delay(options.closeTimeoutMs ?? 25_000, undefined, { ref: false })])
      requester.close()
      for (const connection of connections.toReversed()) await connection.close()
    },

    async drain() {
      const taken = () => consumers.reduce((sum, consumer) => sum + consumer.taken, 0)
      for (let quiet = false; !quiet && state === 'started'; ) {
        const before = taken()
        const sent = (await flushRelays()).reduce((sum, count) => sum + count, 0)
        // Asked on the consuming channel: whatever left the queue before the answer has arrived before it.
        const channel = consuming
        let ready = 0
        for (const { consumer } of consumers)
          ready += (await channel?.checkQueue(consumer.queue))?.messageCount ?? 1
        await Promise.all(consumers.map((consumer) => consumer.serial.idle()))
        quiet = sent === 0 && ready === 0 && taken() === before
        if (!quiet) await delay(drainPauseMs)
      }
    },

    attach(relay) {
      relays.add(relay)
    },

    async depths() {
      const channel = await openLook()
      try {
        const depths: QueueDepth[] = []
        for (const consumer of consumers) depths.push(await depthOf(channel, consumer))
        return depths
      } finally {
        await channel.close()
      }
    },

    deadLetters: rabbitmqDeadLetters({
      queues: () => [...subscriptions.queues.keys()],
      openChannel: openLook,
      publisher,
    }),

    health: () => ({ connected: publisher.connected && consuming !== undefined, blocked: publisher.blocked }),
  }
}

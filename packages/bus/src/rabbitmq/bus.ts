import { setTimeout as delay } from 'node:timers/promises'
import { UnavailableError } from '@kyc/common'
import { type Clock, systemClock } from '@kyc/runtime'
import type { Channel, ChannelModel, RecoveringChannelModel } from 'amqplib'
import type { Bus, BusHooks, Drainable, PublishOutcome, QueueDepth } from '../bus.ts'
import { Subscriptions } from '../delivery.ts'
import { ask, Responders, requestQueue, responder } from '../requests.ts'
import { defaultRetryTiersMs } from '../retry.ts'
import { Acks } from './acks.ts'
import { type ConnectionOptions, inTime, keepConnected, openChannel } from './connection.ts'
import { QueueConsumer } from './consumer.ts'
import { rabbitmqDeadLetters } from './dead-letters.ts'
import { createLook } from './look.ts'
import { publishOptions } from './message.ts'
import { Publisher } from './publisher.ts'
import { Requester } from './requester.ts'
import { ReplyChannel, RequestConsumer } from './responding.ts'
import { deadQueue, eventExchange, retryQueue } from './topology.ts'

export type RabbitmqBusOptions = ConnectionOptions & {
  /** The name of this process's service. RabbitMQ shows it as the connection name. */
  service: string
  clock?: Clock
  retryTiersMs?: readonly number[]
  hooks?: BusHooks
  /** How long `close` waits for handlers in flight (25 s). Unsettled messages are redelivered to another process. */
  closeTimeoutMs?: number
}

/** Less than the relay's lease, so that a publication has ended before another relay can repeat it. */
const publishTimeoutMs = 8_000
const drainPauseMs = 5
/** A broker that hangs is otherwise detected only by missing heartbeats, after twice as long. */
const lookWithinMs = 15_000

/** The transport for services in separate processes, over RabbitMQ. */
export function rabbitmqBus(options: RabbitmqBusOptions): Bus {
  const { service, logger, clock = systemClock, retryTiersMs = defaultRetryTiersMs, hooks = {} } = options
  const subscriptions = new Subscriptions()
  const responders = new Responders()
  const relays = new Set<Drainable>()
  /**
   * Events that waited in the outboxes while publishing was impossible are published immediately, not at the next poll.
   */
  const flushRelays = () => Promise.all([...relays].map((relay) => relay.flush()))
  const publisher = new Publisher(logger, (blocked) => {
    hooks.onBlocked?.(blocked)
    if (!blocked) void flushRelays()
  })
  const requester = new Requester(logger)
  const replies = new ReplyChannel(logger)
  const requests = new Set<Promise<unknown>>()
  let consumers: QueueConsumer[] = []
  let requestConsumers: RequestConsumer[] = []
  let connections: RecoveringChannelModel[] = []
  let consuming: Channel | undefined
  let consumingAcks: Acks | undefined
  let state: 'new' | 'started' | 'closed' = 'new'

  const assertNew = () => {
    if (state !== 'new') throw new Error('Subscribe and respond before the bus starts')
  }
  const look = createLook(() => {
    const consumingConnection = connections[1]
    if (!consumingConnection) throw new Error('The bus is not started')
    // Fail now, because the operation would otherwise wait indefinitely for the broker, and the caller may need to stop
    // earlier.
    if (!consuming) throw new UnavailableError('RabbitMQ is not reachable.')
    return consumingConnection.createChannel()
  })

  const setupConsumers = async (model: ChannelModel) => {
    const channel = await openChannel(model, logger, () => {
      consuming = undefined
    })
    const acks = new Acks(channel)
    for (const consumer of [...consumers, ...requestConsumers]) await consumer.setup(model, channel, acks)
    consumingAcks = acks
    consuming = channel
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
      responders.add(responder(contract, handler, logger, prefetch))
    },

    async publish(messages) {
      const outcomes = messages.map((): PublishOutcome => 'failed')
      const confirmed = messages.map(async (message, index) => {
        const content = Buffer.from(message.payload)
        outcomes[index] = await publisher
          .publish(eventExchange, message.name, content, publishOptions(message))
          .catch(() => 'failed')
      })
      const done = new AbortController()
      await Promise.race([Promise.all(confirmed), delay(publishTimeoutMs, undefined, done)])
      done.abort()
      const settled = [...outcomes]
      for (const [index, { name }] of messages.entries()) {
        hooks.onPublished?.({ name, outcome: settled[index] ?? 'failed' })
      }
      return settled
    },

    async request(contract, payload, requestOptions = {}) {
      if (state === 'closed' || publisher.blocked)
        throw new UnavailableError('The message bus takes no requests.')
      const asked = ask(contract, payload, requestOptions, hooks, (question) =>
        requester.send(requestQueue(contract), question),
      )
      requests.add(asked)
      return asked.finally(() => requests.delete(asked))
    },

    async start() {
      assertNew()
      state = 'started'
      const delivery = { logger, clock, retryTiersMs, hooks }
      consumers = [...subscriptions.queues.values()].map(
        (queue) => new QueueConsumer(queue, publisher, delivery),
      )
      requestConsumers = [...responders.byQueue.values()].map(
        (each) => new RequestConsumer(each, replies, logger),
      )
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
      const idle = async () => {
        await Promise.all([...consumers, ...requestConsumers].map((consumer) => consumer.stop()))
        await Promise.allSettled(requests)
      }
      await Promise.race([idle(), delay(options.closeTimeoutMs ?? 25_000, undefined, { ref: false })])
      state = 'closed'
      consumingAcks?.flush()
      for (const connection of connections.toReversed()) await connection.close()
    },

    async drain() {
      const taken = () => consumers.reduce((sum, consumer) => sum + consumer.taken, 0)
      for (let quiet = false; !quiet && state === 'started'; ) {
        const before = taken()
        // Handlers in flight now may append to an outbox after the flush below.
        const busy = consumers.some((consumer) => consumer.serial.size > 0)
        const sent = (await flushRelays()).reduce((sum, count) => sum + count, 0)
        // Sent on the consuming channel, so that any message that left the queue before the response has arrived before
        // it.
        const channel = consuming
        let ready = 0
        for (const { consumer } of consumers)
          ready += (await channel?.checkQueue(consumer.queue))?.messageCount ?? 1
        await Promise.all(consumers.map((consumer) => consumer.serial.idle()))
        quiet = !busy && sent === 0 && ready === 0 && taken() === before
        if (!quiet) await delay(drainPauseMs)
      }
    },

    attach(relay) {
      relays.add(relay)
    },

    depths: () =>
      inTime(
        look((channel) => Promise.all(consumers.map((consumer) => depthOf(channel, consumer)))),
        lookWithinMs,
      ),

    deadLetters: rabbitmqDeadLetters({
      queues: () => [...subscriptions.queues.keys()],
      look,
      publisher,
    }),

    health: () => ({ connected: publisher.connected && consuming !== undefined, blocked: publisher.blocked }),
  }
}

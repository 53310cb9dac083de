import type { Channel, ChannelModel, Options } from 'amqplib'

export const eventExchange = 'identity.events'
export const retryQueue = (queue: string, delayMs: number): string => `${queue}.retry.${delayMs}`
export const deadQueue = (queue: string): string => `${queue}.dead`

/** How often the broker redelivers what was never settled (crashes, lost connections) before it parks it. */
const deliveryLimit = 20

const quorum = (options: Options.AssertQueue, deadLetterTo?: string): Options.AssertQueue => ({
  ...options,
  durable: true,
  arguments: {
    'x-queue-type': 'quorum',
    // Dead-lettering confirms the copy before it drops the original; that needs reject-publish.
    ...(deadLetterTo && {
      'x-dead-letter-exchange': '',
      'x-dead-letter-routing-key': deadLetterTo,
      'x-dead-letter-strategy': 'at-least-once',
      'x-overflow': 'reject-publish',
    }),
    ...(options.arguments as Record<string, unknown>),
  },
})

/** A consumer's queue, its retry tiers (which dead-letter back into it when their time is up) and its parking lot. */
export async function declareConsumerQueue(
  channel: Channel,
  queue: string,
  event: string,
  retryTiersMs: readonly number[],
): Promise<void> {
  const dead = deadQueue(queue)
  // Looking at dead letters redelivers them: the limit that newer brokers set by default would drop them.
  await channel.assertQueue(dead, quorum({ arguments: { 'x-delivery-limit': 1_000_000 } }))
  await channel.assertQueue(queue, quorum({ arguments: { 'x-delivery-limit': deliveryLimit } }, dead))
  for (const delayMs of retryTiersMs) {
    await channel.assertQueue(retryQueue(queue, delayMs), quorum({ messageTtl: delayMs }, queue))
  }
  await channel.assertExchange(eventExchange, 'topic', { durable: true })
  await channel.bindQueue(queue, eventExchange, event)
}

/**
 * Requests live for seconds: a classic queue, so that a rolling restart finds them and nothing is written to disk.
 * False when the node of a cluster that the queue is on is down: until it is back the queue can neither be declared
 * nor deleted. Asked on a channel of its own, because the refusal closes it.
 */
export async function declareRequestQueue(model: ChannelModel, queue: string): Promise<boolean> {
  const channel = await model.createChannel()
  channel.on('error', () => {}) // the declaration rejects with it
  try {
    await channel.assertQueue(queue, { durable: true, arguments: { 'x-queue-type': 'classic' } })
  } catch (error) {
    if ((error as { code?: unknown }).code === notFound) return false
    throw error
  }
  await channel.close()
  return true
}

/** A reply code of AMQP 0-9-1. */
const notFound = 404

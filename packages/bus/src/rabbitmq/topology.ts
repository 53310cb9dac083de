import type { Channel, ChannelModel, Options } from 'amqplib'

export const eventExchange = 'identity.events'
export const retryQueue = (queue: string, delayMs: number): string => `${queue}.retry.${delayMs}`
export const deadQueue = (queue: string): string => `${queue}.dead`

/** How often the broker redelivers a message that was never settled (crashes, lost connections) before it parks it. */
const deliveryLimit = 20

const quorum = (options: Options.AssertQueue, deadLetterTo?: string): Options.AssertQueue => ({
  ...options,
  durable: true,
  arguments: {
    'x-queue-type': 'quorum',
    // At-least-once dead-lettering confirms the copy before it drops the original, and requires reject-publish.
    ...(deadLetterTo && {
      'x-dead-letter-exchange': '',
      'x-dead-letter-routing-key': deadLetterTo,
      'x-dead-letter-strategy': 'at-least-once',
      'x-overflow': 'reject-publish',
    }),
    ...(options.arguments as Record<string, unknown>),
  },
})

/**
 * Declares a consumer's queue, its retry tiers (which dead-letter back into it when their TTL expires) and its
 * dead-letter queue.
 */
export async function declareConsumerQueue(
  channel: Channel,
  queue: string,
  event: string,
  retryTiersMs: readonly number[],
): Promise<void> {
  const dead = deadQueue(queue)
  // Listing dead letters redelivers them. The limit that newer brokers set by default would drop them.
  await channel.assertQueue(dead, quorum({ arguments: { 'x-delivery-limit': 1_000_000 } }))
  await channel.assertQueue(queue, quorum({ arguments: { 'x-delivery-limit': deliveryLimit } }, dead))
  for (const delayMs of retryTiersMs) {
    await channel.assertQueue(retryQueue(queue, delayMs), quorum({ messageTtl: delayMs }, queue))
  }
  await channel.assertExchange(eventExchange, 'topic', { durable: true })
  await channel.bindQueue(queue, eventExchange, event)
}

/**
 * Requests live for seconds, so they use a classic queue: a rolling restart finds them, and nothing is written to disk.
 * Returns false when the cluster node of the queue is down, because until it is back the queue can be neither declared
 * nor deleted. Uses a separate channel, because the failure closes it.
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

/** AMQP 0-9-1 reply code. */
const notFound = 404

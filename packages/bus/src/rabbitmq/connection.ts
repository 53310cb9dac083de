import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Logger } from '@kyc/runtime'
import {
  type Channel,
  type ChannelModel,
  type ConfirmChannel,
  connect,
  type RecoveringChannelModel,
  type SocketOptions,
} from 'amqplib'

export type ConnectionOptions = {
  /** `amqp://` or `amqps://`, with user, password and vhost. */
  url: string
  /** TLS (ca, cert, key, servername) and socket options, as Node's `tls.connect` takes them. */
  socketOptions?: SocketOptions
  /** How long the setup of the channels may take before another connection is tried (30 s). */
  setupWithinMs?: number
  logger: Logger
}

const heartbeatSeconds = '15'
/**
 * Channels, queues and consumers take milliseconds each, unless the node of a queue is lost and the broker waits for
 * it.
 */
const usualSetupMs = 30_000

/**
 * Maintains one connection: `setup` creates every channel again after each reconnect. A failed channel closes the
 * connection, so that there is only one way to recover from any fault.
 */
export async function keepConnected(
  purpose: string,
  { url, socketOptions, setupWithinMs = usualSetupMs, logger }: ConnectionOptions,
  setup: (model: ChannelModel) => Promise<void>,
): Promise<RecoveringChannelModel> {
  const address = new URL(url)
  if (!address.searchParams.has('heartbeat')) address.searchParams.set('heartbeat', heartbeatSeconds)
  const connection = await connect(address.href, {
    noDelay: true,
    keepAlive: true,
    timeout: 10_000,
    ...socketOptions,
    clientProperties: { connection_name: purpose, ...socketOptions?.clientProperties },
    recovery: {
      initialDelay: 100,
      maxDelay: 5_000,
      jitter: 0.5,
      waitForConnect: false,
      async setup(model: ChannelModel) {
        let lost = false
        model.on('close', () => {
          lost = true
        })
        model.on('error', (error: Error) => logger.warn('RabbitMQ connection failed', { purpose, error }))
        await inTime(setup(model), setupWithinMs)
        // amqplib reports a close only from here on. A close that came with the last reply must not be missed.
        await nextTurn()
        if (lost) throw new Error('the connection was lost during its set-up')
      },
    },
  })
  connection.on('error', () => {}) // logged on the model above
  connection.on('connect-failed', (error) => logger.warn('RabbitMQ is not reachable', { purpose, error }))
  connection.on('disconnect', () => logger.warn('RabbitMQ connection lost', { purpose }))
  return connection
}

/**
 * Adds a timeout, because amqplib waits for a broker's reply indefinitely. After a timeout, the setup is repeated on a
 * new connection.
 */
export async function inTime<T>(work: Promise<T>, withinMs: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const tooLate = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('the broker did not answer in time')), withinMs)
  })
  // The late operation fails when its connection is closed, and nothing awaits it.
  work.catch(() => undefined)
  try {
    return await Promise.race([work, tooLate])
  } finally {
    clearTimeout(timer)
  }
}

const tie = <C extends Channel>(channel: C, model: ChannelModel, logger: Logger, onClose: () => void): C => {
  channel.on('error', (error) => logger.warn('RabbitMQ channel failed', { error }))
  channel.on('close', () => {
    onClose()
    void reconnect(model)
  })
  return channel
}

export const openChannel = async (
  model: ChannelModel,
  logger: Logger,
  onClose: () => void,
): Promise<Channel> => tie(await model.createChannel(), model, logger, onClose)

export const openConfirmChannel = async (
  model: ChannelModel,
  logger: Logger,
  onClose: () => void,
): Promise<ConfirmChannel> => tie(await model.createConfirmChannel(), model, logger, onClose)

/** Closing the model, unlike closing the recovering connection, makes amqplib reconnect. */
export async function reconnect(model: ChannelModel): Promise<void> {
  try {
    await model.close()
  } catch {
    // The model was already closed, which is the intended result.
  }
}

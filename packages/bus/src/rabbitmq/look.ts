import type { Channel } from 'amqplib'

/** Inspects the broker's queues. Messages that `work` fetched and did not acknowledge are put back. */
export type Look = <T>(work: (channel: Channel) => Promise<T>) => Promise<T>

/**
 * Runs inspections one after the other on one channel, because only the same channel sees the messages that the
 * previous inspection put back. If a channel fails (no such queue), that inspection fails and the channel is replaced.
 */
export function createLook(open: () => Promise<Channel>): Look {
  let channel: Channel | undefined
  let last: Promise<unknown> = Promise.resolve()
  const current = async () => {
    if (channel) return channel
    const opened = await open()
    opened.on('error', () => {}) // reported by the operation that failed
    opened.on('close', () => {
      channel = undefined
    })
    channel = opened
    return opened
  }
  return (work) => {
    const look = last.then(async () => {
      const on = await current()
      try {
        return await work(on)
      } finally {
        if (channel === on) on.nackAll()
      }
    })
    last = look.catch(() => {})
    return look
  }
}

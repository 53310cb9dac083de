import type { Channel } from 'amqplib'

/** Runs one look at the broker's queues; what it got and did not acknowledge is put back. */
export type Look = <T>(work: (channel: Channel) => Promise<T>) => Promise<T>

/**
 * Looks one after the other, on one channel: only there does a look see what the one before has put back.
 * A channel that fails (no such queue) fails that look and is replaced.
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

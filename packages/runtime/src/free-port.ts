import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'

/** Lower bound, above well-known service ports. The range is below the ephemeral ports (from 32,768 on Linux). */
const lowest = 10_240
const highest = 32_767
const maxTries = 50

/**
 * A free port of 127.0.0.1. It is not reserved until it is used. It is chosen at random from a range in which the
 * system assigns no ports, so that processes that start concurrently rarely collide.
 */
export async function freePort(): Promise<number> {
  for (let tried = 1; ; tried++) {
    const port = randomInt(lowest, highest + 1)
    try {
      await tryPort(port)
      return port
    } catch (error) {
      if (tried === maxTries || (error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error
    }
  }
}

async function tryPort(port: number): Promise<void> {
  const probe = createServer()
  probe.listen(port, '127.0.0.1')
  await once(probe, 'listening')
  probe.close()
  await once(probe, 'close')
}

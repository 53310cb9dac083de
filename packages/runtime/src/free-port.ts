import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'

/** Below what systems give to whoever asks for any port (from 32,768 on Linux), above what services are known by. */
const lowest = 10_240
const highest = 32_767
const maxTries = 50

/**
 * A port of 127.0.0.1 at which nobody listens. Until it is used it is nobody's; it is chosen at random, where no connection
 * and no listener gets a port by itself, so that of processes that start side by side hardly ever one takes another's.
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

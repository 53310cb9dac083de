import { Agent as HttpAgent } from 'node:http'
import { Agent as HttpsAgent } from 'node:https'
import type { CheckedDestination } from './destination-guard.ts'

type Agents = { http: HttpAgent; https: HttpsAgent }

/** Time for one of several addresses to answer before the next is tried as well. */
const nextAddressAfterMs = 2_000
/** Shorter than the idle time after which servers close: a socket that is about to be closed is not used again. */
const idleMs = 1_000
const maxIdleSockets = 16
const maxDestinations = 1_000

/**
 * Sockets kept for a second, so that a burst to one receiver does not connect anew each time. They belong to a name
 * and the very addresses it was checked with: when a look-up answers otherwise, the sockets of before are not used.
 */
export class PinnedAgents {
  readonly #agents = new Map<string, Agents>()

  of({ url, host, addresses }: CheckedDestination): Agents {
    const key = [url.protocol, host, url.port, ...[...addresses].sort()].join(' ')
    const known = this.#agents.get(key)
    if (known !== undefined) {
      // The last in the map is the last that was used.
      this.#agents.delete(key)
      this.#agents.set(key, known)
      return known
    }
    const options = {
      keepAlive: true,
      maxFreeSockets: maxIdleSockets,
      timeout: idleMs,
      autoSelectFamily: true,
      autoSelectFamilyAttemptTimeout: nextAddressAfterMs,
    }
    const made = { http: new HttpAgent(options), https: new HttpsAgent(options) }
    this.#agents.set(key, made)
    for (const oldest of this.#agents.keys()) {
      if (this.#agents.size <= maxDestinations) break
      // Its sockets in use end with their exchange, its idle ones within the second.
      this.#agents.delete(oldest)
    }
    return made
  }
}

import { Agent as HttpAgent } from 'node:http'
import { Agent as HttpsAgent } from 'node:https'
import type { CheckedDestination } from './destination-guard.ts'

type Agents = { http: HttpAgent; https: HttpsAgent }

/** How long one of several addresses may take to respond before the next is tried as well. */
const nextAddressAfterMs = 2_000
/** Shorter than the idle timeout of servers, so that a socket that is about to be closed is not reused. */
const idleMs = 1_000
const maxIdleSockets = 16
const maxDestinations = 1_000

/**
 * Retains sockets for a second, so that a burst to one receiver does not reconnect each time. They belong to a name and
 * the exact addresses that were checked: when a later lookup returns other addresses, the earlier sockets are not used.
 */
export class PinnedAgents {
  readonly #agents = new Map<string, Agents>()

  of({ url, host, addresses }: CheckedDestination): Agents {
    const key = [url.protocol, host, url.port, ...[...addresses].sort()].join(' ')
    const known = this.#agents.get(key)
    if (known !== undefined) {
      // The last entry of the map is the most recently used one.
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
      // Its active sockets end with their exchange, its idle ones within the second.
      this.#agents.delete(oldest)
    }
    return made
  }
}

import { Resolver as DnsResolver, lookup } from 'node:dns/promises'

/**
 * All addresses of a name, in the order in which they shall be tried. An empty list and a rejection both
 * mean that the name has none. Called once an attempt.
 */
export type Resolver = (name: string, signal: AbortSignal) => Promise<readonly string[]>

/**
 * Asks name servers for A and AAAA; search domains and the hosts file play no part. `servers` are addresses,
 * with a port if need be; by default the machine's.
 */
export function createDnsResolver(servers?: readonly string[]): Resolver {
  return async (name, signal) => {
    // One resolver a look-up: it uses no thread of the pool, and cancelling it disturbs no other.
    const resolver = new DnsResolver({ timeout: 2_000, tries: 2 })
    if (servers !== undefined) resolver.setServers(servers)
    const cancel = () => resolver.cancel()
    signal.addEventListener('abort', cancel, { once: true })
    try {
      const answers = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)])
      const addresses = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []))
      const failure = answers.find((answer) => answer.status === 'rejected')
      if (addresses.length === 0 && failure !== undefined) throw failure.reason
      return addresses
    } finally {
      signal.removeEventListener('abort', cancel)
    }
  }
}

/** Development mode: the machine's own view, so that `localhost` and container names resolve. */
export const machineResolver: Resolver = async (name) => {
  const answers = await lookup(name, { all: true, order: 'verbatim' })
  return answers.map((answer) => answer.address)
}

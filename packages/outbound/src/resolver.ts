import { Resolver as DnsResolver, lookup } from 'node:dns/promises'

/**
 * Returns all addresses of a name, in the order in which to try them. An empty list and a rejection both mean that the
 * name has none. Called once per attempt.
 */
export type Resolver = (name: string, signal: AbortSignal) => Promise<readonly string[]>

/**
 * Queries name servers for A and AAAA records, without search domains and the hosts file. `servers` are addresses with
 * an optional port; by default those of the machine.
 */
export function createDnsResolver(servers?: readonly string[]): Resolver {
  return async (name, signal) => {
    // One resolver per lookup: it uses no thread of the pool, and cancelling it does not affect other lookups.
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

/** For development mode: the machine's own resolver, so that `localhost` and container names resolve. */
export const machineResolver: Resolver = async (name) => {
  const answers = await lookup(name, { all: true, order: 'verbatim' })
  return answers.map((answer) => answer.address)
}

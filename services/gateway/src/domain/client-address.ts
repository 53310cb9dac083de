import { BlockList, isIP } from 'node:net'

/** IPv4 in IPv6 (`::ffff:192.0.2.1`) is the IPv4 address. */
const plain = (address: string): string => address.replace(/^::ffff:(?=\d+\.\d+\.\d+\.\d+$)/i, '')

/**
 * The address of the client. `x-forwarded-for` is read from its right end and believed only as far as each hop was
 * a trusted proxy; what a client writes itself stands to the left of that and is ignored.
 */
export function createClientAddress(trustedProxies: readonly string[]) {
  const trusted = new BlockList()
  for (const entry of trustedProxies) {
    const [address = '', prefix] = entry.split('/')
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4'
    if (!isIP(address)) throw new Error(`TRUSTED_PROXIES: ${entry} is neither an address nor a CIDR block`)
    if (prefix === undefined) trusted.addAddress(address, family)
    else trusted.addSubnet(address, Number(prefix), family)
  }
  const isTrusted = (address: string) =>
    isIP(address) !== 0 && trusted.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4')

  return (socketAddress: string | undefined, forwardedFor: string | undefined): string | null => {
    let address = plain(socketAddress ?? '')
    if (isIP(address) === 0) return null
    if (trustedProxies.length === 0 || !forwardedFor) return address
    const hops = forwardedFor.split(',').map((hop) => plain(hop.trim()))
    while (isTrusted(address)) {
      const hop = hops.pop()
      if (hop === undefined || isIP(hop) === 0) break
      address = hop
    }
    return address
  }
}

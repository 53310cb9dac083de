import { BlockList, isIP, SocketAddress } from 'node:net'

const family = (address: string) => (isIP(address) === 6 ? 'ipv6' : 'ipv4')

/**
 * The canonical form of an address: IPv6 in its shortest form without a zone, IPv4-mapped IPv6 (`::ffff:192.0.2.1`) as
 * IPv4. Some proxies append the port (`192.0.2.1:1234`, `[2001:db8::1]:443`). Null if the text is not an address.
 */
export function canonicalAddress(text: string): string | null {
  const trimmed = text.trim()
  const bare = /^\[([^\]]*)\](?::\d+)?$/.exec(trimmed)?.[1] ?? /^([\d.]+):\d+$/.exec(trimmed)?.[1] ?? trimmed
  if (isIP(bare) === 0) return null
  if (isIP(bare) === 4) return bare
  const { address } = new SocketAddress({ address: bare, family: 'ipv6' })
  return address.replace(/^::ffff:(?=\d+\.\d+\.\d+\.\d+$)/, '')
}

/**
 * Parses `TRUSTED_PROXIES`: `none`, or addresses and CIDR blocks separated by commas.
 * @throws Error that names the invalid entry
 */
export function parseTrustedProxies(text: string): string[] {
  const entries = text
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '')
  if (entries.length === 1 && entries[0] === 'none') return []
  if (entries.length === 0) throw new Error('must be none, or addresses and CIDR blocks separated by commas')
  for (const entry of entries) blockOf(entry)
  return entries
}

function blockOf(entry: string): { address: string; prefix: number } {
  const [address = '', prefix, ...rest] = entry.split('/')
  const version = isIP(address)
  const bits = version === 6 ? 128 : 32
  const length = prefix === undefined ? bits : /^\d{1,3}$/.test(prefix) ? Number(prefix) : Number.NaN
  if (version === 0 || rest.length > 0 || !(length <= bits))
    throw new Error(`${entry} is neither an address nor a CIDR block`)
  // Otherwise every client could choose its own address.
  if (length === 0) throw new Error(`${entry} trusts every address; name the proxies' own`)
  return { address, prefix: length }
}

/** The source of the client's address. `ignored`: an `x-forwarded-for` header from an untrusted peer. */
export type AddressSource = 'peer' | 'forwarded' | 'ignored'
export type ClientAddress = { address: string | null; source: AddressSource }

/**
 * The address of the client. `x-forwarded-for` is read from its right end, hop by hop, for as long as the hop that
 * added the next one is a trusted proxy. Everything to the left of the first untrusted hop was written by the client
 * and is ignored.
 */
export function createClientAddress(trustedProxies: readonly string[]) {
  const trusted = new BlockList()
  for (const entry of trustedProxies) {
    const { address, prefix } = blockOf(entry)
    trusted.addSubnet(address, prefix, family(address))
  }
  const isTrusted = (address: string) => trusted.check(address, family(address))

  return (peer: string | undefined, forwardedFor: string | undefined): ClientAddress => {
    let address = canonicalAddress(peer ?? '')
    if (address === null) return { address, source: 'peer' }
    if (!forwardedFor) return { address, source: 'peer' }
    if (!isTrusted(address)) return { address, source: 'ignored' }
    const hops = forwardedFor.split(',')
    while (isTrusted(address)) {
      const hop = hops.pop()
      const next: string | null = hop === undefined ? null : canonicalAddress(hop)
      if (next === null) break
      address = next
    }
    return { address, source: 'forwarded' }
  }
}

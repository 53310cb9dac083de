import { BlockList, isIP } from 'node:net'

/** Special-purpose blocks that are not publicly routable (IANA registries, RFC 6890). */
const privateBlocks = blockList([
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/3',
  '::/127',
  '100::/64',
  '2001:db8::/32',
  'fc00::/7',
  'fe80::/10',
  'ff00::/8',
])

/** A set of addresses from CIDR blocks or single addresses. Throws on any other entry. */
export function blockList(entries: readonly string[]): BlockList {
  const list = new BlockList()
  for (const entry of entries) {
    const [network = '', prefix] = entry.split('/')
    const version = isIP(network)
    const bits = prefix === undefined ? (version === 4 ? 32 : 128) : Number(prefix)
    if (version === 0 || !Number.isInteger(bits) || bits < 0 || bits > (version === 4 ? 32 : 128)) {
      throw new Error(`not an address or CIDR block: ${entry}`)
    }
    list.addSubnet(network, bits, version === 4 ? 'ipv4' : 'ipv6')
  }
  return list
}

export const isIn = (list: BlockList, address: string): boolean =>
  list.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4')

export const isPrivateAddress = (address: string): boolean => isIn(privateBlocks, address)

/** Converts IPv4-mapped IPv6 to IPv4 and removes the zone id. Null for an invalid address. */
export function normalizeAddress(text: string): string | null {
  const bare = text.trim().replace(/%.*$/, '')
  const mapped = bare.match(/^::ffff:(\d+\.\d+\.\d+\.\d+)$/i)?.[1]
  const address = mapped ?? bare
  return isIP(address) === 0 ? null : address.toLowerCase()
}

/** `198.51.100.*`, `2001:db8:85a3:*`: distinguishes networks but does not identify people. */
export function maskAddress(address: string): string {
  if (isIP(address) === 4) return `${address.split('.').slice(0, 3).join('.')}.*`
  const [head = '', tail] = address.split('::')
  const front = head === '' ? [] : head.split(':')
  const back = tail === undefined || tail === '' ? [] : tail.split(':')
  const groups = [
    ...front,
    ...new Array<string>(Math.max(0, 8 - front.length - back.length)).fill('0'),
    ...back,
  ]
  return `${groups.slice(0, 3).join(':')}:*`
}

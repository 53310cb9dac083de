import ipaddr from 'ipaddr.js'

export type Block = { readonly network: ipaddr.IPv4 | ipaddr.IPv6; readonly bits: number }

function blocks(...cidrs: string[]): readonly Block[] {
  return cidrs.map((cidr) => {
    const [network, bits] = ipaddr.parseCIDR(cidr)
    return { network, bits }
  })
}

/**
 * IANA IPv4 Special-Purpose Address Registry (RFC 6890), multicast (RFC 5771) and the reserved class E (RFC 1112).
 * Includes blocks that the registry calls globally reachable (AS112, AMT, the anycast addresses of 192.0.0.0/24),
 * because they belong to infrastructure and never to a receiver.
 */
export const ipv4SpecialBlocks = blocks(
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.31.196.0/24',
  '192.52.193.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '192.175.48.0/24',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
)

/** The only part of IPv6 that IANA allocates as global unicast (RFC 4291, section 2.4). */
export const ipv6GlobalUnicast = blocks('2000::/3')

/**
 * The special blocks of 2000::/3: IETF protocol assignments (with Teredo, benchmarking, ORCHID), documentation, 6to4,
 * AS112. Mapped, compatible, translated and NAT64 addresses are already outside 2000::/3.
 */
export const ipv6SpecialBlocks = blocks(
  '2001::/23',
  '2001:db8::/32',
  '2002::/16',
  '2620:4f:8000::/48',
  '3fff::/20',
)

/** Blocks that only development mode allows: loopback, RFC 1918, shared (RFC 6598), unique local. */
export const developmentBlocks = blocks(
  '127.0.0.0/8',
  '10.0.0.0/8',
  '172.16.0.0/12',
  '192.168.0.0/16',
  '100.64.0.0/10',
  '::1/128',
  'fc00::/7',
)

/**
 * Addresses at which clouds serve credentials. Rejected in every mode. All of link-local is included, because most of
 * them are in it; the others are documented by the vendors, and some look public or merely private.
 */
export const metadataBlocks = blocks(
  '169.254.0.0/16',
  'fe80::/10',
  '100.100.100.200/32', // Alibaba Cloud
  '168.63.129.16/32', // Azure host agent
  '192.0.0.192/32', // Oracle Cloud Classic
  'fd00:ec2::/32', // AWS: instance metadata, time, DNS, container credentials
  'fd20:ce::254/128', // Google Cloud
  'fd00:42::42/128', // Scaleway
  'fd00:c1::a9fe:a9fe/128', // Oracle Cloud
)

/** True when `address` is in one of the blocks of `list`. Blocks of the other address family never match. */
export function isInBlocks(address: ipaddr.IPv4 | ipaddr.IPv6, list: readonly Block[]): boolean {
  return list.some(
    (block) => block.network.kind() === address.kind() && address.match(block.network, block.bits),
  )
}

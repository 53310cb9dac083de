import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'
import {
  type Block,
  developmentBlocks,
  ipv4SpecialBlocks,
  ipv6GlobalUnicast,
  ipv6SpecialBlocks,
  isInBlocks,
  metadataBlocks,
} from './special-blocks.ts'

export type AddressPolicy = {
  /** Development mode: allows loopback and private receivers, and the service's own machine. */
  allowPrivate: boolean
  /** The service's own addresses; rejected outside development mode. */
  own: readonly Block[]
}

export type AddressRefusal =
  | 'unreadable_address'
  | 'metadata_address'
  | 'own_address'
  | 'non_public_address'
  | 'embedded_ipv4_address'

/**
 * Checks whether a connection to `address` is allowed, given in text form (RFC 4291 or dotted decimal). An allow-list:
 * global unicast without its special blocks. Returns null when allowed, otherwise the reason.
 */
export function refuseAddress(address: string, policy: AddressPolicy): AddressRefusal | null {
  // node:net is strict where ipaddr.js is lenient: no octal, no hexadecimal, no missing parts.
  if (isIP(address) === 0 || address.includes('%')) return 'unreadable_address'
  const parsed = ipaddr.parse(address)
  if (isInBlocks(parsed, metadataBlocks)) return 'metadata_address'
  if (policy.allowPrivate && isInBlocks(parsed, developmentBlocks)) return null
  if (!policy.allowPrivate && isInBlocks(parsed, policy.own)) return 'own_address'
  if (parsed instanceof ipaddr.IPv4) {
    return isInBlocks(parsed, ipv4SpecialBlocks) ? 'non_public_address' : null
  }
  if (!isInBlocks(parsed, ipv6GlobalUnicast) || isInBlocks(parsed, ipv6SpecialBlocks)) {
    return 'non_public_address'
  }
  return isIsatap(parsed) ? 'embedded_ipv4_address' : null
}

/** Interface identifier 0000:5EFE or 0200:5EFE followed by an IPv4 address (RFC 5214, section 6.1). */
function isIsatap(address: ipaddr.IPv6): boolean {
  return (address.parts[4]! & 0xfdff) === 0 && address.parts[5] === 0x5efe
}

/** Parses addresses and CIDR blocks from an operator's configuration; throws on anything else. */
export function parseOwnAddresses(list: readonly string[]): Block[] {
  return list.map((entry) => {
    if (entry.includes('/')) {
      const [network, bits] = ipaddr.parseCIDR(entry)
      return { network, bits }
    }
    if (isIP(entry) === 0) throw new Error(`Not an address or CIDR block: ${entry}`)
    const network = ipaddr.parse(entry)
    return { network, bits: network.kind() === 'ipv4' ? 32 : 128 }
  })
}

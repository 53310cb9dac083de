import { isIP, type LookupFunction } from 'node:net'
import type { CheckedDestination } from './destination-guard.ts'

/**
 * Returns the checked addresses to the socket's name lookup, so that no second lookup happens between the check and the
 * connection. TLS still verifies the certificate against the name.
 */
export function pinnedLookup(destination: CheckedDestination): LookupFunction {
  const entries = destination.addresses.map((address) => ({ address, family: isIP(address) }))
  return (hostname, options, callback) => {
    if (hostname.replace(/\.$/, '') !== destination.host) {
      callback(new Error('A look-up for another name than the checked one.'), [])
      return
    }
    const wanted = options.family === 4 || options.family === 6 ? options.family : undefined
    const usable = wanted === undefined ? entries : entries.filter((entry) => entry.family === wanted)
    const first = usable[0]
    if (options.all) callback(null, usable)
    else if (first === undefined) callback(new Error('No checked address of this family.'), '', 0)
    else callback(null, first.address, first.family)
  }
}

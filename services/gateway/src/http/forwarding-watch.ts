import type { Clock, Logger, Metrics } from '@kyc/runtime'
import type { AddressSource } from '../domain/client-address.ts'

const windowMs = 60_000
/** A single scanner that sends the header is not a proxy. */
const fewest = 10

/**
 * Detects a proxy that `TRUSTED_PROXIES` does not name: all traffic then carries an `x-forwarded-for` that is ignored,
 * and every person shares the proxy's address and therefore its limits. Warns once a minute while that lasts; alerts
 * use the metric.
 */
export function createForwardingWatch(deps: { clock: Clock; logger: Logger; metrics: Metrics }) {
  const sources = deps.metrics.counter(
    'gateway_client_addresses_total',
    'Requests by where the client address came from; ignored: x-forwarded-for from an untrusted peer',
    ['source'],
  )
  let began = deps.clock.now().getTime()
  let seen = 0
  let ignored = 0

  return (source: AddressSource): void => {
    sources.inc({ source })
    const now = deps.clock.now().getTime()
    if (now - began >= windowMs) {
      if (ignored >= fewest && ignored === seen) {
        deps.logger.warn(
          'all requests of the last minute carry x-forwarded-for from an untrusted peer; set TRUSTED_PROXIES',
          { requests: seen },
        )
      }
      began = now
      seen = 0
      ignored = 0
    }
    seen++
    if (source === 'ignored') ignored++
  }
}
export type ForwardingWatch = ReturnType<typeof createForwardingWatch>

import { networkInterfaces } from 'node:os'
import type { Logger } from '@kyc/runtime'
import { type AddressPolicy, parseOwnAddresses, refuseAddress } from './address-rule.ts'
import { OutboundError } from './errors.ts'
import type { Resolver } from './resolver.ts'
import type { Block } from './special-blocks.ts'
import { readUrl } from './url-rule.ts'

/** A destination that was resolved once. Connections may only use these addresses. */
export type CheckedDestination = { url: URL; host: string; addresses: readonly string[] }

export type DestinationGuard = (url: string, signal: AbortSignal) => Promise<CheckedDestination>

/** Happy Eyeballs may try each address in turn; more than these cannot be tried before the deadline. */
const maxPinnedAddresses = 4

/**
 * Creates the check that precedes every connection. Throws `OutboundError`; the reason is only logged. One forbidden
 * address rejects the whole name: the addresses are never filtered.
 */
export function createDestinationGuard(options: {
  resolver: Resolver
  allowPrivate: boolean
  ownAddresses: readonly string[]
  ownHosts: readonly string[]
  logger: Logger
}): DestinationGuard {
  const configured = parseOwnAddresses(options.ownAddresses)
  const interfaces = createInterfaceReader()
  const ownHosts = new Set(options.ownHosts.map((host) => host.toLowerCase()))
  const refused = (reason: string, fields: Record<string, unknown>) => {
    options.logger.warn('outbound destination refused', { reason, ...fields })
    return new OutboundError('destination_refused')
  }

  return async (raw, signal) => {
    const verdict = readUrl(raw, { allowPrivate: options.allowPrivate })
    if (!verdict.ok) {
      options.logger.warn('outbound destination refused', { reason: verdict.reason })
      throw new OutboundError(verdict.reason === 'local_name' ? 'destination_refused' : 'invalid_url')
    }
    const { url, host, kind } = verdict.destination
    if (!options.allowPrivate && ownHosts.has(host)) throw refused('own_host', { host })
    const addresses = kind === 'address' ? [host] : await resolve(options.resolver, host, signal)
    const policy: AddressPolicy = {
      allowPrivate: options.allowPrivate,
      own: [...configured, ...interfaces()],
    }
    for (const address of addresses) {
      const reason = refuseAddress(address, policy)
      if (reason !== null) throw refused(reason, { host, destination_ip: address })
    }
    return { url, host, addresses: addresses.slice(0, maxPinnedAddresses) }
  }
}

async function resolve(resolver: Resolver, host: string, signal: AbortSignal): Promise<readonly string[]> {
  let answers: readonly string[]
  try {
    answers = await untilAborted(resolver(host, signal), signal)
  } catch (error) {
    if (signal.aborted) throw new OutboundError('timeout', { cause: error })
    const { code } = error as { code?: unknown }
    throw new OutboundError('name_not_resolved', {
      detail: typeof code === 'string' ? code : undefined,
      cause: error,
    })
  }
  if (answers.length === 0) throw new OutboundError('name_not_resolved', { detail: 'ENODATA' })
  return answers
}

/** A resolver that cannot be cancelled must not delay the attempt beyond its deadline. */
function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise<T>((settle, fail) => {
    const abort = () => fail(signal.reason)
    if (signal.aborted) return abort()
    signal.addEventListener('abort', abort, { once: true })
    work.then(settle, fail).finally(() => signal.removeEventListener('abort', abort))
  })
}

/** The machine's own addresses. They change with its networks, so they are read again every second. */
function createInterfaceReader(): () => Block[] {
  let blocks: Block[] = []
  let readAt = Number.NEGATIVE_INFINITY
  return () => {
    if (performance.now() - readAt > 1_000) {
      const entries = Object.values(networkInterfaces()).flatMap((list) => list ?? [])
      blocks = parseOwnAddresses(entries.map((entry) => entry.address))
      readAt = performance.now()
    }
    return blocks
  }
}

import type { Logger } from '@kyc/runtime'
import { startDeadline } from './deadline.ts'
import { createDestinationGuard } from './destination-guard.ts'
import { type Download, type DownloadOptions, download } from './download.ts'
import { OutboundError } from './errors.ts'
import { createTransport } from './exchange.ts'
import { createDnsResolver, machineResolver, type Resolver } from './resolver.ts'
import { type SendOutcome, type SendRequest, send } from './send.ts'

export type OutboundClientOptions = {
  /** By default, the configured name servers; in development mode, the machine's own resolver. */
  resolver?: Resolver
  /** Development mode. Metadata addresses are still rejected. */
  allowPrivate: boolean
  /** Addresses and CIDR blocks of the service itself, in addition to those of the machine's interfaces. */
  ownAddresses: readonly string[]
  /**
   * Host names of the service itself. Compared as names, because behind a shared frontend many names have one address.
   * Rejected outside development mode.
   */
  ownHosts?: readonly string[]
  logger: Logger
  /** PEM. Replaces the bundled certificate authorities, for receivers with a private authority. */
  certificateAuthority?: string
}

export type UrlCheck = { ok: true; url: string } | { ok: false; error: OutboundError }

/**
 * The only client for outbound HTTP. Every call resolves its host once, checks every address, and connects only to
 * those.
 */
export type OutboundClient = {
  /** Runs the checks of `send` without a connection, for use when a URL is saved. */
  checkUrl(url: string): Promise<UrlCheck>
  send(request: SendRequest): Promise<SendOutcome>
  download(url: string, options: DownloadOptions): Promise<Download>
}

const checkTimeoutMs = 5_000

export function createOutboundClient(options: OutboundClientOptions): OutboundClient {
  const guard = createDestinationGuard({
    resolver: options.resolver ?? (options.allowPrivate ? machineResolver : createDnsResolver()),
    allowPrivate: options.allowPrivate,
    ownAddresses: options.ownAddresses,
    ownHosts: options.ownHosts ?? [],
    logger: options.logger,
  })
  const transport = createTransport({ certificateAuthority: options.certificateAuthority })
  if (options.allowPrivate) {
    options.logger.warn('development mode: outbound calls to private and loopback addresses are allowed')
  }

  return {
    async checkUrl(url) {
      const deadline = startDeadline(checkTimeoutMs)
      try {
        const checked = await guard(url, deadline.signal)
        return { ok: true, url: checked.url.href }
      } catch (error) {
        if (error instanceof OutboundError) return { ok: false, error }
        throw error
      } finally {
        deadline.clear()
      }
    },
    send: (request) => send(guard, transport, request),
    download: (url, downloadOptions) => download(guard, transport, url, downloadOptions),
  }
}

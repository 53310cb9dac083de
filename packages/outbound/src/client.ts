import type { Logger } from '@kyc/runtime'
import { startDeadline } from './deadline.ts'
import { createDestinationGuard } from './destination-guard.ts'
import { type Download, type DownloadOptions, download } from './download.ts'
import { OutboundError } from './errors.ts'
import { createTransport } from './exchange.ts'
import { createDnsResolver, machineResolver, type Resolver } from './resolver.ts'
import { type SendOutcome, type SendRequest, send } from './send.ts'

export type OutboundClientOptions = {
  /** By default the configured name servers; in development mode the machine's own resolver. */
  resolver?: Resolver
  /** Development mode. Metadata addresses stay refused. */
  allowPrivate: boolean
  /** Addresses and CIDR blocks by which the service is reached, beside those of the machine's interfaces. */
  ownAddresses: readonly string[]
  /**
   * Host names of the service itself. Compared as names: behind a shared front many names have one address.
   * Refused outside development mode.
   */
  ownHosts?: readonly string[]
  logger: Logger
  /** PEM, instead of the bundled authorities: for receivers behind a private authority. */
  certificateAuthority?: string
}

export type UrlCheck = { ok: true; url: string } | { ok: false; error: OutboundError }

/** The only way out. Every call resolves its host once, checks every address, connects to those alone. */
export type OutboundClient = {
  /** The check of `send` without a connection: for the moment a URL is saved. */
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

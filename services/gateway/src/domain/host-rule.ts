import type { ServiceName } from '@kyc/common'

type Urls = { publicUrl: string; flowUrl: string | undefined; consoleUrl: string | undefined }

/** Cookies are not isolated by port, so host names are compared without it. */
const hostOf = (url: string) => new URL(url).hostname.toLowerCase()

/**
 * Decides which host name serves which application. The flow and the console can each have a separate host name. Then
 * every application is served on its own host only, so that its scripts and cookies have a different origin from the
 * others (OWASP ASVS 3.5.4). If all share one host name, any name is accepted. `/health` is accepted under any name
 * because probes use addresses.
 */
export function createHostRule({ publicUrl, flowUrl, consoleUrl }: Urls) {
  const api = hostOf(publicUrl)
  const flow = flowUrl === undefined ? api : hostOf(flowUrl)
  const console = consoleUrl === undefined ? api : hostOf(consoleUrl)
  const isSplit = flow !== api || console !== api
  const ownHost = (service: ServiceName) =>
    service === 'flow' ? flow : service === 'console' ? console : api

  return (host: string | undefined, route: { service: ServiceName; operation: string }): boolean =>
    !isSplit ||
    route.operation === 'getHealth' ||
    (host ?? '').toLowerCase().replace(/:\d+$/, '') === ownHost(route.service)
}
export type HostRule = ReturnType<typeof createHostRule>

export { type AddressPolicy, type AddressRefusal, parseOwnAddresses, refuseAddress } from './address-rule.ts'
export {
  createOutboundClient,
  type OutboundClient,
  type OutboundClientOptions,
  type UrlCheck,
} from './client.ts'
export type { Download, DownloadOptions } from './download.ts'
export { OutboundError, type OutboundErrorCode } from './errors.ts'
export { createDnsResolver, machineResolver, type Resolver } from './resolver.ts'
export type { SendOutcome, SendRequest } from './send.ts'
export { type Destination, maxUrlLength, readUrl, type UrlRefusal, type UrlVerdict } from './url-rule.ts'

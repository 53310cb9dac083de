import { commonConfig, integer, loadConfig, vaultConfig } from '@kyc/runtime'
import { z } from 'zod'

/** What the service itself reads, in a process of its own and beside the others alike. */
export const checksConfig = {
  /** Folder of the issuing authority's certificates (PEM or DER), read again on change; without it no signature is checked. */
  AADHAAR_CERTIFICATES_DIR: z.string().optional(),
  /** Threads that read documents, each with the models in memory (about 250 MB); half of the cores when empty. */
  DOCUMENT_READER_THREADS: integer(1, 64).optional(),
  /** Photos that may wait for a thread; the next is refused with 503. */
  DOCUMENT_READER_QUEUE: integer(1, 1_000).default(16),
  /** MaxMind DB (.mmdb) of countries in place of the one that comes with the service. */
  IP_COUNTRY_DATABASE: z.string().optional(),
  /** MaxMind DB of networks (ASN); without it `asn` is null. */
  IP_ASN_DATABASE: z.string().optional(),
  /** Text files of CIDR blocks, one a line: hosting providers, anonymising services. None when empty. */
  IP_HOSTING_RANGES: z.string().optional(),
  IP_ANONYMIZER_RANGES: z.string().optional(),
} as const

export const checksSettings = z.object(checksConfig)
export type ChecksConfig = z.output<typeof checksSettings>

const processSchema = z.object({ ...commonConfig, ...vaultConfig, ...checksConfig })

/** The whole environment of a process of its own. */
export const readConfig = () => loadConfig(processSchema)

/** The service's own part, for a process that runs several. */
export const readChecksConfig = (environment?: Record<string, string | undefined>): ChecksConfig =>
  loadConfig(checksSettings, environment)

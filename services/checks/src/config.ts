import { commonConfig, integer, loadConfig, vaultConfig } from '@kyc/runtime'
import { z } from 'zod'

/** The service's own settings, both when it runs alone and when it shares a process with other services. */
export const checksConfig = {
  /**
   * Folder of the issuing authority's certificates (PEM or DER), reloaded on change; without it no signature is
   * verified.
   */
  AADHAAR_CERTIFICATES_DIR: z.string().optional(),
  /** Document reader threads, each with the models in memory (about 250 MB); defaults to half of the cores. */
  DOCUMENT_READER_THREADS: integer(1, 64).optional(),
  /** Photos that may wait for a thread; further ones are rejected with 503. */
  DOCUMENT_READER_QUEUE: integer(1, 1_000).default(16),
  /** MaxMind DB (.mmdb) of countries; replaces the one shipped with the service. */
  IP_COUNTRY_DATABASE: z.string().optional(),
  /** MaxMind DB of networks (ASN); without it `asn` is null. */
  IP_ASN_DATABASE: z.string().optional(),
  /** Text files with one CIDR block per line: hosting providers and anonymising services. No ranges when unset. */
  IP_HOSTING_RANGES: z.string().optional(),
  IP_ANONYMIZER_RANGES: z.string().optional(),
} as const

export const checksSettings = z.object(checksConfig)
export type ChecksConfig = z.output<typeof checksSettings>

const processSchema = z.object({ ...commonConfig, ...vaultConfig, ...checksConfig })

/** The whole environment, when the service runs in its own process. */
export const readConfig = () => loadConfig(processSchema)

/** Only this service's settings, for a process that runs several services. */
export const readChecksConfig = (environment?: Record<string, string | undefined>): ChecksConfig =>
  loadConfig(checksSettings, environment)

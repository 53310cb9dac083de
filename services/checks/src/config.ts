import { commonConfig, loadConfig, vaultConfig } from '@kyc/runtime'
import { z } from 'zod'

/** What the service itself reads, in a process of its own and beside the others alike. */
export const checksConfig = {
  /** Folder of the issuing authority's certificates (PEM or DER), read again on change; without it no signature is checked. */
  AADHAAR_CERTIFICATES_DIR: z.string().optional(),
} as const

export const checksSettings = z.object(checksConfig)
export type ChecksConfig = z.output<typeof checksSettings>

const processSchema = z.object({ ...commonConfig, ...vaultConfig, ...checksConfig })

/** The whole environment of a process of its own. */
export const readConfig = () => loadConfig(processSchema)

/** The service's own part, for a process that runs several. */
export const readChecksConfig = (environment?: Record<string, string | undefined>): ChecksConfig =>
  loadConfig(checksSettings, environment)

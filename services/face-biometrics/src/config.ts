import { commonConfig, integer, loadConfig, vaultConfig } from '@kyc/runtime'
import { z } from 'zod'

/** What the service itself reads, in a process of its own and beside the others alike. */
export const faceBiometricsConfig = {
  /** Threads inside one inference and one decoding; more make one answer faster, not the service. */
  FACE_THREADS: integer(1, 64).default(1),
  /** Images worked on at once. */
  FACE_CONCURRENCY: integer(1, 64).default(2),
  /** Images that may wait; what comes beyond that is answered with 503 and `retry-after`. */
  FACE_QUEUE_LIMIT: integer(1, 10_000).default(64),
} as const

export const faceBiometricsSettings = z.object(faceBiometricsConfig)
export type FaceBiometricsConfig = z.output<typeof faceBiometricsSettings>

const processSchema = z.object({ ...commonConfig, ...vaultConfig, ...faceBiometricsConfig })

/** The whole environment of a process of its own. */
export const readConfig = () => loadConfig(processSchema)

/** The service's own part, for a process that runs several. */
export const readFaceBiometricsConfig = (
  environment?: Record<string, string | undefined>,
): FaceBiometricsConfig => loadConfig(faceBiometricsSettings, environment)

import { commonConfig, integer, loadConfig, vaultConfig } from '@kyc/runtime'
import { z } from 'zod'

/** The service's own settings, used both in its own process and in `standalone`. */
export const faceBiometricsConfig = {
  /** Threads per inference and per decoding; more reduce the latency of a request but do not raise throughput. */
  FACE_THREADS: integer(1, 64).default(1),
  /** Images processed concurrently. */
  FACE_CONCURRENCY: integer(1, 64).default(2),
  /** Images that may wait; beyond that, requests are rejected with 503 and `retry-after`. */
  FACE_QUEUE_LIMIT: integer(1, 10_000).default(64),
} as const

export const faceBiometricsSettings = z.object(faceBiometricsConfig)
export type FaceBiometricsConfig = z.output<typeof faceBiometricsSettings>

const processSchema = z.object({ ...commonConfig, ...vaultConfig, ...faceBiometricsConfig })

/** The complete configuration of the service in its own process. */
export const readConfig = () => loadConfig(processSchema)

/** Only the service's own settings, for a process that runs several services. */
export const readFaceBiometricsConfig = (
  environment?: Record<string, string | undefined>,
): FaceBiometricsConfig => loadConfig(faceBiometricsSettings, environment)

import { commonConfig, integer, loadConfig, vaultConfig } from '@kyc/runtime'
import { z } from 'zod'

/** Settings that only this service reads, both as a separate process and in the standalone process. */
export const sessionSettings = z.object({
  /** Base URL of hosted links if the flow has its own host name; otherwise PUBLIC_URL is used. */
  FLOW_URL: z.url().optional(),
  /** How long the checks of a session may take before missing ones count as errors. */
  PROCESSING_DEADLINE_SECONDS: integer(5, 3600).default(120),
  /** The commit of the build, recorded in receipts and certificates. */
  CODE_COMMIT: z.string().max(64).optional(),
  /** How often time-based transitions, overdue checks, retention and unfinished purges are processed. */
  CLOCK_SECONDS: integer(1, 60).default(15),
})
export type SessionConfig = z.output<typeof sessionSettings>

export const readConfig = () =>
  loadConfig(z.object({ ...commonConfig, ...vaultConfig, ...sessionSettings.shape }))

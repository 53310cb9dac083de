import { commonConfig, integer, loadConfig, vaultConfig } from '@kyc/runtime'
import { z } from 'zod'

/** What the service itself reads, in a process of its own and beside the others alike. */
export const sessionSettings = z.object({
  /** Base of hosted links, where the flow has a host name of its own; PUBLIC_URL otherwise. */
  FLOW_URL: z.url().optional(),
  /** How long the checks of a session may take before those missing count as errors. */
  PROCESSING_DEADLINE_SECONDS: integer(5, 3600).default(120),
  /** The commit that was built, told in receipts and certificates. */
  CODE_COMMIT: z.string().max(64).optional(),
  /** How often the clock's transitions, overdue checks, retention and unfinished purges are looked at. */
  CLOCK_SECONDS: integer(1, 60).default(15),
})
export type SessionConfig = z.output<typeof sessionSettings>

export const readConfig = () =>
  loadConfig(z.object({ ...commonConfig, ...vaultConfig, ...sessionSettings.shape }))

import { commonConfig, loadConfig, vaultConfig } from '@kyc/runtime'
import { z } from 'zod'

/** What the service itself reads, in a process of its own and beside the others alike. */
export const flowSettings = z.object({
  /** Base of hosted links, where the flow has a host name of its own; PUBLIC_URL otherwise. */
  FLOW_URL: z.url().optional(),
  /** `smtp://user:password@host:port` or `smtps://…`. Without it only test apps can use the e-mail step. */
  SMTP_URL: z.url({ protocol: /^smtps?$/ }).optional(),
  MAIL_FROM: z.string().default('Identity verification <no-reply@localhost>'),
  /** Signs the `result_token` that goes with a person back to the client; at least 32 characters. No default. */
  RESULT_TOKEN_SECRET: z.string().min(32),
})

export type FlowConfig = z.output<typeof flowSettings>

export const readConfig = () =>
  loadConfig(z.object({ ...commonConfig, ...vaultConfig, ...flowSettings.shape }))

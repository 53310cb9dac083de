import { commonConfig, loadConfig, vaultConfig } from '@kyc/runtime'
import { z } from 'zod'

/** The service's own settings, used both in its own process and in `standalone`. */
export const flowSettings = z.object({
  /** Base of hosted links if the flow has its own host name; defaults to PUBLIC_URL. */
  FLOW_URL: z.url().optional(),
  /** `smtp://user:password@host:port` or `smtps://…`. Without it only test apps can use the e-mail step. */
  SMTP_URL: z.url({ protocol: /^smtps?$/ }).optional(),
  MAIL_FROM: z.string().default('Identity verification <no-reply@localhost>'),
  /** Signs the `result_token` that is appended to the client's return URL; at least 32 characters. No default. */
  RESULT_TOKEN_SECRET: z.string().min(32),
})

export type FlowConfig = z.output<typeof flowSettings>

export const readConfig = () =>
  loadConfig(z.object({ ...commonConfig, ...vaultConfig, ...flowSettings.shape }))

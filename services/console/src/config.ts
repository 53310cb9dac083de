import { commonConfig, list, loadConfig, vaultConfig } from '@kyc/runtime'
import { z } from 'zod'

/** Settings that the service reads itself, both in its own process and in the standalone process. */
export const consoleSettings = z.object({
  /** URL of the console when it has its own host name; defaults to PUBLIC_URL. */
  CONSOLE_URL: z.url().optional(),
  /** `smtp://user:password@host:port` or `smtps://…`. Without it, links are shown to the user who creates them. */
  SMTP_URL: z.url({ protocol: /^smtps?$/ }).optional(),
  MAIL_FROM: z.string().default('Identity verification <no-reply@localhost>'),
  /** Ed25519 private key (JWK, JSON) that signs the heads of the audit log. No default. */
  AUDIT_SIGNING_KEY: z.string(),
  /** Public keys (the `x` of their JWK, comma-separated) of earlier signing keys, whose heads remain valid. */
  AUDIT_PREVIOUS_KEYS: list,
})

export type ConsoleConfig = z.output<typeof consoleSettings>

export const readConfig = () =>
  loadConfig(z.object({ ...commonConfig, ...vaultConfig, ...consoleSettings.shape }))

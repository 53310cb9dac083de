import { commonConfig, list, loadConfig, vaultConfig } from '@kyc/runtime'
import { z } from 'zod'

/** What the service itself reads, in a process of its own and beside the others alike. */
export const consoleSettings = z.object({
  /** Where browsers reach the console, when it has a host name of its own; PUBLIC_URL otherwise. */
  CONSOLE_URL: z.url().optional(),
  /** `smtp://user:password@host:port` or `smtps://…`. Without it, links are shown to whoever makes them. */
  SMTP_URL: z.url({ protocol: /^smtps?$/ }).optional(),
  MAIL_FROM: z.string().default('Identity verification <no-reply@localhost>'),
  /** Ed25519 private key (JWK, JSON) that signs the heads of the audit log. No default. */
  AUDIT_SIGNING_KEY: z.string(),
  /** Public keys (the `x` of their JWK, comma-separated) of earlier signing keys, whose heads still count. */
  AUDIT_PREVIOUS_KEYS: list,
})

export type ConsoleConfig = z.output<typeof consoleSettings>

export const readConfig = () =>
  loadConfig(z.object({ ...commonConfig, ...vaultConfig, ...consoleSettings.shape }))

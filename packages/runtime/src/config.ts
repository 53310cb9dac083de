import { z } from 'zod'

/** Thrown at startup when the environment is invalid; lists every invalid variable. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
}

/** The process's environment. Only this file and the `config.ts` of a service may use it. */
export const processEnvironment = (): Record<string, string | undefined> => process.env

/** Parses the environment with a schema; empty values count as absent. */
export function loadConfig<S extends z.ZodType>(
  schema: S,
  environment: Record<string, string | undefined> = processEnvironment(),
): z.output<S> {
  const given = Object.fromEntries(
    Object.entries(environment).filter(([, value]) => value !== undefined && value !== ''),
  )
  const result = schema.safeParse(given)
  if (result.success) return result.data
  const problems = result.error.issues.map((issue) => `  ${issue.path.join('.')}: ${issue.message}`)
  throw new ConfigError(`The environment is not usable:\n${problems.join('\n')}`)
}

/** `1`, `true`, `yes`, `on` and their opposites. */
export const flag = (fallback: boolean) =>
  z
    .enum(['1', 'true', 'yes', 'on', '0', 'false', 'no', 'off'])
    .default(fallback ? 'true' : 'false')
    .transform((value) => ['1', 'true', 'yes', 'on'].includes(value))

export const integer = (minimum: number, maximum: number) =>
  z
    .string()
    .regex(/^\d+$/, 'must be a whole number')
    .transform(Number)
    .pipe(z.int().min(minimum).max(maximum))

/** Comma-separated words. */
export const list = z
  .string()
  .default('')
  .transform((value) =>
    value
      .split(',')
      .map((item) => item.trim())
      .filter((item) => item !== ''),
  )

/** Settings that every service reads. Each service adds its own. */
export const commonConfig = {
  /** The port on which the process listens. */
  PORT: integer(0, 65_535).default(8080),
  HOST: z.string().default('0.0.0.0'),
  LOG_LEVEL: z.enum(['debug', 'info', 'warn', 'error', 'silent']).default('info'),
  /** PostgreSQL URL; each service uses its own schema in it. */
  DATABASE_URL: z.string(),
  DATABASE_POOL_SIZE: integer(1, 200).default(10),
  /** If false, another process applies the migrations (`main.js migrate`), and this one starts only afterwards. */
  MIGRATE_ON_START: flag(true),
  /**
   * After SIGTERM, how long requests are still accepted, each answered with `connection: close`, until load balancers
   * and keep-alive clients have switched to other replicas. Use 0 with a single replica.
   */
  DRAIN_SECONDS: integer(0, 60).default(0),
  RABBITMQ_URL: z.string(),
  /** The public base URL of the system, used for hosted links. */
  PUBLIC_URL: z.url().default('http://localhost:8080'),
  /** Public key (JWK, JSON) of the gateway's signing key. Services accept no other identity. */
  INTERNAL_IDENTITY_PUBLIC_KEY: z.string(),
  /** Base URL of an OTLP/HTTP collector. If it is not set, no traces are sent. */
  OTEL_EXPORTER_OTLP_ENDPOINT: z.url().optional(),
  /** Port of the metrics, separate from the public one. */
  METRICS_PORT: integer(0, 65_535).default(9464),
  /** Folder of model files (see models.lock.json). */
  MODELS_DIR: z.string().default('models'),
} as const

/** Additional settings of services that open the evidence vault. */
export const vaultConfig = {
  /** `folder:/path` or `s3://bucket/prefix`. */
  VAULT_STORE: z.string(),
  /** Location of the purge ledger, if separate from the files, in the same form. It is never restored from a backup. */
  VAULT_LEDGER: z.string().optional(),
  /**
   * The key-encryption key, configured in exactly one of three ways and without a default: 32 bytes in base64 here, a
   * file `{"current": {"id", "key"}, "previous": []}`, or a key manager with the API of Vault's Transit engine.
   */
  VAULT_KEY: z.string().optional(),
  VAULT_KEY_ID: z.string().default('k1'),
  /** Older keys that may still be needed for reading: `id=base64,id=base64`. */
  VAULT_PREVIOUS_KEYS: z.string().default(''),
  VAULT_KEY_FILE: z.string().optional(),
  VAULT_TRANSIT_ADDRESS: z.url().optional(),
  /** Name of the key in the key manager. */
  VAULT_TRANSIT_KEY: z.string().optional(),
  VAULT_TRANSIT_MOUNT: z.string().default('transit'),
  VAULT_TRANSIT_NAMESPACE: z.string().optional(),
  /** The token, or a file that contains it and is read for every call, so that an agent can renew it. */
  VAULT_TRANSIT_TOKEN: z.string().optional(),
  VAULT_TRANSIT_TOKEN_FILE: z.string().optional(),
} as const

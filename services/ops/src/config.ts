import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { ServiceName } from '@kyc/common'
import type { VaultSettings } from '@kyc/host'
import {
  ConfigError,
  list,
  loadConfig,
  processEnvironment,
  runningEmbeddedUrl,
  vaultConfig,
} from '@kyc/runtime'
import { z } from 'zod'

const schema = z.object({
  /**
   * One PostgreSQL for every service; `<SERVICE>_DATABASE_URL` (such as SESSION_DATABASE_URL) overrides it for one
   * service.
   */
  DATABASE_URL: z.string().optional(),
  RABBITMQ_URL: z.string().optional(),
  /** Signs the heads of the audit log; also needed to verify them. */
  AUDIT_SIGNING_KEY: z.string().optional(),
  /** Public keys (`x`, comma-separated) of previous signing keys. */
  AUDIT_PREVIOUS_KEYS: list,
  /** The data folder of the standalone process; used for every setting that is not given above. */
  DATA_DIR: z.string().default('.data'),
})

export type OpsConfig = {
  databaseUrl(service: ServiceName): string
  /** The database that holds the bus of the standalone process. */
  busDatabaseUrl(): string
  rabbitmqUrl: string | undefined
  vault(): VaultSettings
  auditSigningKey(): string
  auditPreviousKeys: readonly string[]
}

/** Each part is resolved when a command needs it, so that a command requires only the settings that it uses. */
export function readConfig(environment = processEnvironment()): OpsConfig {
  const config = loadConfig(schema, environment)
  const dataDir = resolve(config.DATA_DIR)
  const anyDatabase = () => config.DATABASE_URL ?? embeddedDatabaseUrl(dataDir)
  return {
    rabbitmqUrl: config.RABBITMQ_URL,
    busDatabaseUrl: anyDatabase,
    databaseUrl: (service) => {
      const own = environment[`${service.toUpperCase().replaceAll('-', '_')}_DATABASE_URL`]
      return own || anyDatabase()
    },
    vault: () => {
      if (environment.VAULT_STORE) return loadConfig(z.object(vaultConfig), environment)
      const VAULT_STORE = `folder:${join(dataDir, 'vault')}`
      return { VAULT_STORE, VAULT_KEY: ownSecrets(dataDir, 'VAULT_STORE').vault_key }
    },
    auditSigningKey: () =>
      config.AUDIT_SIGNING_KEY ?? ownSecrets(dataDir, 'AUDIT_SIGNING_KEY').audit_signing_key,
    auditPreviousKeys: config.AUDIT_PREVIOUS_KEYS,
  }
}

const secrets = z.object({ vault_key: z.string(), audit_signing_key: z.string() })

/** The secrets that the standalone process generated. */
function ownSecrets(dataDir: string, missing: string): z.infer<typeof secrets> {
  const file = join(dataDir, 'secrets.json')
  if (!existsSync(file)) throw new ConfigError(`Set ${missing}, or DATA_DIR of an all-in-one process.`)
  return secrets.parse(JSON.parse(readFileSync(file, 'utf8')))
}

/** The embedded PostgreSQL of a running standalone process. */
function embeddedDatabaseUrl(dataDir: string): string {
  const url = runningEmbeddedUrl(join(dataDir, 'postgres'))
  if (url) return url
  throw new ConfigError(
    'Set DATABASE_URL, or SESSION_DATABASE_URL and so on for each service, or DATA_DIR of a running all-in-one process.',
  )
}

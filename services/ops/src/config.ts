import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { ServiceName } from '@kyc/common'
import { ConfigError, loadConfig, processEnvironment, runningEmbeddedUrl } from '@kyc/runtime'
import { z } from 'zod'

const schema = z.object({
  /** One PostgreSQL for every service; `<SERVICE>_DATABASE_URL` names one service's own (SESSION_DATABASE_URL). */
  DATABASE_URL: z.string().optional(),
  RABBITMQ_URL: z.string().optional(),
  VAULT_STORE: z.string().optional(),
  VAULT_KEY: z.string().optional(),
  VAULT_KEY_ID: z.string().default('k1'),
  VAULT_PREVIOUS_KEYS: z.string().default(''),
  /** The data folder of the all-in-one process: stands for what is not named above. */
  DATA_DIR: z.string().default('.data'),
})

export type OpsConfig = {
  databaseUrl(service: ServiceName): string
  /** Where the all-in-one process keeps its bus; undefined with RABBITMQ_URL. */
  busDatabaseUrl(): string
  rabbitmqUrl: string | undefined
  vault(): { VAULT_STORE: string; VAULT_KEY: string; VAULT_KEY_ID: string; VAULT_PREVIOUS_KEYS: string }
}

/** Each part is looked up when a command asks for it: a command needs no more settings than it uses. */
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
      const { VAULT_STORE, VAULT_KEY, VAULT_KEY_ID, VAULT_PREVIOUS_KEYS } = config
      if (VAULT_STORE && VAULT_KEY) return { VAULT_STORE, VAULT_KEY, VAULT_KEY_ID, VAULT_PREVIOUS_KEYS }
      const file = join(dataDir, 'secrets.json')
      if (!existsSync(file)) throw new ConfigError('Set VAULT_STORE and VAULT_KEY, or DATA_DIR.')
      const secrets = z.object({ vault_key: z.string() }).parse(JSON.parse(readFileSync(file, 'utf8')))
      return {
        VAULT_STORE: `folder:${join(dataDir, 'vault')}`,
        VAULT_KEY: secrets.vault_key,
        VAULT_KEY_ID,
        VAULT_PREVIOUS_KEYS,
      }
    },
  }
}

/** The embedded PostgreSQL of a running all-in-one process. */
function embeddedDatabaseUrl(dataDir: string): string {
  const url = runningEmbeddedUrl(join(dataDir, 'postgres'))
  if (url) return url
  throw new ConfigError(
    'Set DATABASE_URL, or SESSION_DATABASE_URL and so on for each service, or DATA_DIR of a running all-in-one process.',
  )
}

import { type Clock, ConfigError, type Logger } from '@kyc/runtime'
import { createVault, folderStore, keysFromConfig, s3Store, type Vault } from '@kyc/vault'

/** The part of the environment that opens the vault (see `vaultConfig`). */
export type VaultSettings = {
  VAULT_STORE: string
  VAULT_KEY: string
  VAULT_KEY_ID: string
  VAULT_PREVIOUS_KEYS: string
}

export function openVault(settings: VaultSettings, options: { clock: Clock; logger: Logger }): Vault {
  const previous = settings.VAULT_PREVIOUS_KEYS.split(',')
    .filter((entry) => entry !== '')
    .map((entry) => {
      const at = entry.indexOf('=')
      return { id: entry.slice(0, at), key: entry.slice(at + 1) }
    })
  return createVault({
    store: storeOf(settings.VAULT_STORE),
    keys: keysFromConfig({ current: { id: settings.VAULT_KEY_ID, key: settings.VAULT_KEY }, previous }),
    ...options,
  })
}

function storeOf(location: string) {
  if (location.startsWith('folder:')) return folderStore(location.slice('folder:'.length))
  if (location.startsWith('s3://')) return s3Store(s3Location(location))
  throw new ConfigError('VAULT_STORE: must be folder:/path or s3://bucket?endpoint=…&region=…')
}

/** Credentials come from the SDK's own chain (environment, instance role), never from the URL. */
function s3Location(location: string) {
  const url = new URL(location)
  return {
    bucket: url.hostname,
    prefix: url.pathname.replace(/^\//, ''),
    endpoint: url.searchParams.get('endpoint') ?? undefined,
    region: url.searchParams.get('region') ?? undefined,
  }
}

/** For a service that has no business with evidence: every use is a mistake and says so. */
export const closedVault = (): Vault =>
  new Proxy({} as Vault, {
    get: (_target, name) => () => {
      throw new Error(`This service holds no vault key (vault.${String(name)}).`)
    },
  })

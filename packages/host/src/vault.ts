import { readFile } from 'node:fs/promises'
import { type Clock, ConfigError, type Logger } from '@kyc/runtime'
import {
  createVault,
  folderStore,
  type KeyEncryptionKeys,
  keysFromConfig,
  keysFromFile,
  s3Store,
  transitKeys,
  type Vault,
} from '@kyc/vault'

/** The environment variables that configure the vault (see `vaultConfig`). */
export type VaultSettings = {
  VAULT_STORE: string
  VAULT_LEDGER?: string | undefined
  VAULT_KEY?: string | undefined
  VAULT_KEY_ID?: string
  VAULT_PREVIOUS_KEYS?: string
  VAULT_KEY_FILE?: string | undefined
  VAULT_TRANSIT_ADDRESS?: string | undefined
  VAULT_TRANSIT_KEY?: string | undefined
  VAULT_TRANSIT_MOUNT?: string
  VAULT_TRANSIT_NAMESPACE?: string | undefined
  VAULT_TRANSIT_TOKEN?: string | undefined
  VAULT_TRANSIT_TOKEN_FILE?: string | undefined
}

/** Throws `ConfigError` unless exactly one source of the key-encryption key is configured. */
export function openVault(settings: VaultSettings, options: { clock: Clock; logger: Logger }): Vault {
  return createVault({
    store: storeOf('VAULT_STORE', settings.VAULT_STORE),
    keys: keysOf(settings),
    ...(settings.VAULT_LEDGER ? { ledger: storeOf('VAULT_LEDGER', settings.VAULT_LEDGER) } : {}),
    ...options,
  })
}

function keysOf(settings: VaultSettings): KeyEncryptionKeys {
  const { VAULT_KEY, VAULT_KEY_FILE, VAULT_TRANSIT_ADDRESS } = settings
  const ways = { VAULT_KEY, VAULT_KEY_FILE, VAULT_TRANSIT_ADDRESS }
  const given = Object.entries(ways).filter(([, value]) => value)
  if (given.length !== 1) {
    const names = given.length === 0 ? 'none is set' : `${given.map(([name]) => name).join(' and ')} are set`
    throw new ConfigError(`Set one of ${Object.keys(ways).join(', ')}: ${names}.`)
  }
  if (VAULT_KEY) return configuredKeys(VAULT_KEY, settings)
  if (VAULT_KEY_FILE) return keysOfFile(VAULT_KEY_FILE)
  return managedKeys(VAULT_TRANSIT_ADDRESS as string, settings)
}

function configuredKeys(key: string, { VAULT_KEY_ID = 'k1', VAULT_PREVIOUS_KEYS = '' }: VaultSettings) {
  const previous = VAULT_PREVIOUS_KEYS.split(',')
    .filter((entry) => entry !== '')
    .map((entry) => {
      const at = entry.indexOf('=')
      return { id: entry.slice(0, at), key: entry.slice(at + 1) }
    })
  return keysFromConfig({ current: { id: VAULT_KEY_ID, key }, previous })
}

/**
 * The file is read on first use, which is `vault.check()` at startup. If that fails, every later use fails with the
 * same error.
 */
function keysOfFile(path: string): KeyEncryptionKeys {
  let read: Promise<KeyEncryptionKeys> | undefined
  const keys = () => {
    read ??= keysFromFile(path)
    return read
  }
  return {
    currentId: async () => (await keys()).currentId(),
    wrap: async (plaintext, aad) => (await keys()).wrap(plaintext, aad),
    unwrap: async (keyId, wrapped, aad) => (await keys()).unwrap(keyId, wrapped, aad),
  }
}

function managedKeys(address: string, settings: VaultSettings): KeyEncryptionKeys {
  const { VAULT_TRANSIT_KEY, VAULT_TRANSIT_MOUNT, VAULT_TRANSIT_NAMESPACE } = settings
  const { VAULT_TRANSIT_TOKEN, VAULT_TRANSIT_TOKEN_FILE } = settings
  if (!VAULT_TRANSIT_KEY) throw new ConfigError('VAULT_TRANSIT_KEY: must name the key in the key manager.')
  if (Boolean(VAULT_TRANSIT_TOKEN) === Boolean(VAULT_TRANSIT_TOKEN_FILE))
    throw new ConfigError('Set one of VAULT_TRANSIT_TOKEN, VAULT_TRANSIT_TOKEN_FILE.')
  const token = async () =>
    VAULT_TRANSIT_TOKEN ?? (await readFile(VAULT_TRANSIT_TOKEN_FILE as string, 'utf8')).trim()
  return transitKeys({
    address,
    token,
    keyName: VAULT_TRANSIT_KEY,
    ...(VAULT_TRANSIT_MOUNT ? { mount: VAULT_TRANSIT_MOUNT } : {}),
    ...(VAULT_TRANSIT_NAMESPACE ? { namespace: VAULT_TRANSIT_NAMESPACE } : {}),
  })
}

function storeOf(variable: string, location: string) {
  if (location.startsWith('folder:')) return folderStore(location.slice('folder:'.length))
  if (location.startsWith('s3://')) return s3Store(s3Location(location))
  throw new ConfigError(`${variable}: must be folder:/path or s3://bucket?endpoint=…&region=…`)
}

/** Credentials come from the SDK's credential chain (environment, instance role), never from the URL. */
function s3Location(location: string) {
  const url = new URL(location)
  return {
    bucket: url.hostname,
    prefix: url.pathname.replace(/^\//, ''),
    endpoint: url.searchParams.get('endpoint') ?? undefined,
    region: url.searchParams.get('region') ?? undefined,
  }
}

/** For services that do not need evidence: every use is a programming error and throws. */
export const closedVault = (): Vault =>
  new Proxy({} as Vault, {
    get: (_target, name) => () => {
      throw new Error(`This service holds no vault key (vault.${String(name)}).`)
    },
  })

export type RotatedKeys = {
  rounds: number
  session_keys_rewrapped: number
  app_keys_deleted: number
  failed: number
}

/**
 * Re-wraps every data key under new app keys and the current key-encryption key, until a further round no longer
 * reduces the number of `failed` keys. These are damaged: the keys that wrap them, and the older key-encryption key,
 * are still needed.
 */
export async function rotateKeys(vault: Vault): Promise<RotatedKeys> {
  const total = { rounds: 0, session_keys_rewrapped: 0, app_keys_deleted: 0, failed: 0 }
  for (let before = Number.POSITIVE_INFINITY; ; ) {
    const { session_keys_rewrapped, app_keys_deleted, failed } = await vault.rotate()
    total.rounds++
    total.session_keys_rewrapped += session_keys_rewrapped
    total.app_keys_deleted += app_keys_deleted
    total.failed = failed
    if (failed === 0 || failed >= before) return total
    before = failed
  }
}

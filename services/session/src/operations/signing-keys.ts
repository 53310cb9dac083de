import { type SigningKey, signingKeyOfSeed } from '@kyc/attestation'
import type { Vault } from '@kyc/vault'

const cache = new WeakMap<Vault, Map<string, SigningKey>>()

/**
 * The key that signs an app's receipts and certificates. It is derived from the app's root secret in the vault, so
 * every replica has the same key without configuration, and it lasts as long as the app and is protected like the
 * evidence.
 */
export async function signingKeyOf(vault: Vault, appId: string): Promise<SigningKey> {
  const known = cache.get(vault) ?? new Map<string, SigningKey>()
  cache.set(vault, known)
  const found = known.get(appId)
  if (found) return found
  const seed = Buffer.from(await vault.keyedHash({ app_id: appId }, 'signing-key', 'ed25519/1'), 'hex')
  const made = signingKeyOfSeed(seed)
  known.set(appId, made)
  return made
}

import { type Clock, ExpiringMap } from '@kyc/runtime'
import type { Vault } from '@kyc/vault'
import { secretContext } from '../domain/secret.ts'

const keptMs = 60_000

/**
 * Caches opened signing secrets for up to a minute, because an app's deliveries come in bursts and opening a secret
 * costs more than signing with it. The sealed bytes are the cache key, so a rotation applies from the next attempt
 * on.
 */
export class OpenedSecrets {
  readonly #vault: Pick<Vault, 'openForApp'>
  readonly #opened: ExpiringMap<string>

  constructor(vault: Pick<Vault, 'openForApp'>, clock: Clock) {
    this.#vault = vault
    this.#opened = new ExpiringMap({ ttlMs: keptMs, now: () => clock.now().getTime() })
  }

  /** Rejects with the error of the vault. */
  of(appId: string, sealed: Buffer): Promise<string> {
    return this.#opened.get(`${appId} ${sealed.toString('base64')}`, async () => {
      const secret = await this.#vault.openForApp(appId, secretContext, sealed)
      if (typeof secret !== 'string') throw new TypeError('A sealed signing secret is not text.')
      return secret
    })
  }
}

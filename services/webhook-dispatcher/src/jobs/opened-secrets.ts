import { type Clock, ExpiringMap } from '@kyc/runtime'
import type { Vault } from '@kyc/vault'
import { secretContext } from '../domain/secret.ts'

const keptMs = 60_000

/**
 * Signing secrets, used for up to a minute once opened: an app's deliveries come in bursts, and opening a secret costs more
 * than signing with it. One counts for the very bytes it was sealed as only, so a rotation holds from the next attempt on.
 */
export class OpenedSecrets {
  readonly #vault: Pick<Vault, 'openForApp'>
  readonly #opened: ExpiringMap<string>

  constructor(vault: Pick<Vault, 'openForApp'>, clock: Clock) {
    this.#vault = vault
    this.#opened = new ExpiringMap({ ttlMs: keptMs, now: () => clock.now().getTime() })
  }

  /** Throws what the vault throws. */
  of(appId: string, sealed: Buffer): Promise<string> {
    return this.#opened.get(`${appId} ${sealed.toString('base64')}`, async () => {
      const secret = await this.#vault.openForApp(appId, secretContext, sealed)
      if (typeof secret !== 'string') throw new TypeError('A sealed signing secret is not text.')
      return secret
    })
  }
}

import type { Clock } from '@kyc/runtime'
import type { Vault } from '@kyc/vault'
import { secretContext } from '../domain/secret.ts'

const keptMs = 60_000
const maxApps = 1_000

/**
 * Signing secrets, kept for up to a minute: an app's deliveries come in bursts, and opening a secret costs more than
 * signing with it. One counts for the very bytes it was sealed as only, so a rotation holds from the next attempt on.
 */
export class OpenedSecrets {
  readonly #vault: Pick<Vault, 'openForApp'>
  readonly #clock: Clock
  readonly #kept = new Map<string, { sealed: Buffer; secret: string; until: number }>()

  constructor(vault: Pick<Vault, 'openForApp'>, clock: Clock) {
    this.#vault = vault
    this.#clock = clock
  }

  /** Throws what the vault throws. */
  async of(appId: string, sealed: Buffer): Promise<string> {
    const now = this.#clock.now().getTime()
    const kept = this.#kept.get(appId)
    if (kept && kept.until > now && kept.sealed.equals(sealed)) return kept.secret
    this.#kept.delete(appId)
    const secret = await this.#vault.openForApp(appId, secretContext, sealed)
    if (typeof secret !== 'string') throw new TypeError('A sealed signing secret is not text.')
    this.#kept.set(appId, { sealed, secret, until: now + keptMs })
    // The oldest goes first: a Map keeps the order of insertion.
    if (this.#kept.size > maxApps) this.#kept.delete(this.#kept.keys().next().value!)
    return secret
  }
}

import { nameHash } from '@kyc/common'
import type { Vault } from '@kyc/vault'

/** The search keys of a name: a keyed hash of each word. */
export const nameHashes = (vault: Vault, appId: string, words: readonly string[]): Promise<Buffer[]> =>
  Promise.all(
    words.map(async (word) => {
      const hash = await vault.keyedHash({ app_id: appId }, nameHash.purpose, word)
      return Buffer.from(hash, 'hex').subarray(0, nameHash.bytes)
    }),
  )

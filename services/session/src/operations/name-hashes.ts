import { nameHash } from '@kyc/common'
import type { Vault } from '@kyc/vault'

/** What a name is found by: a keyed hash of each of its words. */
export const nameHashes = (vault: Vault, appId: string, words: readonly string[]): Promise<Buffer[]> =>
  Promise.all(
    words.map(async (word) => {
      const hash = await vault.keyedHash({ app_id: appId }, nameHash.purpose, word)
      return Buffer.from(hash, 'hex').subarray(0, nameHash.bytes)
    }),
  )

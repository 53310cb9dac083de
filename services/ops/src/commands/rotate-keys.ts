import { conflict } from '@kyc/common'
import type { Command } from '../command.ts'

export const rotateKeys: Command = {
  usage: '',
  summary: 'wraps every key of the vault anew under VAULT_KEY; VAULT_PREVIOUS_KEYS can then be dropped',
  async run(_args, context) {
    const vault = context.vault()
    await vault.check()
    const rotated = await vault.rotate()
    context.say(JSON.stringify(rotated))
    if (rotated.failed > 0) {
      throw conflict(
        `${rotated.failed} keys could not be opened and keep their old wrapping: keep VAULT_PREVIOUS_KEYS.`,
      )
    }
  },
}

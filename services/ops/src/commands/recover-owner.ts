import { recoverOwner as contract } from '@kyc/common'
import { type Command, readOptions, required } from '../command.ts'

export const recoverOwner: Command = {
  usage: '--owner EMAIL',
  summary:
    'gives an owner of the console who cannot sign in a new password, printed once; the second factor is enrolled anew',
  async run(args, context) {
    const { options } = readOptions(args)
    const email = required(options, 'owner')
    context.say(JSON.stringify(await (await context.bus()).request(contract, { email }), null, 2))
  },
}

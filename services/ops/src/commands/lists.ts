import { getListStatus, refreshLists } from '@kyc/common'
import { type Command, UsageError } from '../command.ts'

export const lists: Command = {
  usage: 'status | refresh [list...]',
  summary: 'prints version, age and state of the sanctions lists; has their sources looked at now',
  async run([action, ...names], context) {
    const bus = await context.bus()
    if (action === 'status') {
      const { lists: found } = await bus.request(getListStatus, {})
      for (const list of found) context.say(JSON.stringify(list))
      return
    }
    if (action !== 'refresh') throw new UsageError('status or refresh')
    const { started } = await bus.request(refreshLists, names.length > 0 ? { lists: names } : {})
    context.say(
      started
        ? 'The sources are being looked at.'
        : 'Nothing was started: a refresh is under way or downloads are off.',
    )
  },
}

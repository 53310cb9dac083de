import { listDeliveries, redeliver, redeliverFailed } from '@kyc/common'
import { type Command, readOptions, required, UsageError } from '../command.ts'
import type { OpsContext } from '../context.ts'

const pageSize = 100

export const deliveries: Command = {
  usage: 'failed --app APP | redeliver --app APP (--delivery ID | --since TIMESTAMP)',
  summary:
    'prints the webhook deliveries of an app that failed for good; sends one, or all since a time, again',
  async run([action, ...args], context) {
    const { options } = readOptions(args)
    if (action !== 'failed' && action !== 'redeliver') throw new UsageError('failed or redeliver')
    const app_id = required(options, 'app')
    const bus = await context.bus()
    if (action === 'failed') return printFailed(app_id, context)
    if (options.delivery) {
      const { delivery_id, status } = await bus.request(redeliver, { app_id, delivery_id: options.delivery })
      context.say(`${delivery_id}: ${status}`)
      return
    }
    const { count } = await bus.request(redeliverFailed, { app_id, since: required(options, 'since') })
    context.say(`${count} deliveries will be sent again.`)
  },
}

async function printFailed(app_id: string, context: OpsContext): Promise<void> {
  const bus = await context.bus()
  for (let page = 1; ; page++) {
    const { data } = await bus.request(listDeliveries, {
      app_id,
      status: 'failed',
      page,
      page_size: pageSize,
    })
    for (const delivery of data) {
      const { delivery_id, session_id, event, attempts } = delivery
      const last = attempts.at(-1)
      context.say(
        JSON.stringify({
          delivery_id,
          session_id,
          event,
          attempts: attempts.length,
          error: last?.error ?? null,
        }),
      )
    }
    if (data.length < pageSize) return
  }
}

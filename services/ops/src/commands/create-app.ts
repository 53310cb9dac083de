import { environment, setUpApp } from '@kyc/common'
import { type Command, readOptions, required, UsageError } from '../command.ts'

export const createApp: Command = {
  usage: '--name NAME --owner EMAIL [--environment test|live] [--webhook-url URL]',
  summary: 'makes an app with its API key and webhook secret, and the first owner; prints the secrets once',
  async run(args, context) {
    const { options } = readOptions(args)
    const kind = environment.safeParse(options.environment ?? 'test')
    if (!kind.success) throw new UsageError('--environment is test or live')
    const made = await (await context.bus()).request(setUpApp, {
      name: required(options, 'name'),
      environment: kind.data,
      webhook_url: options['webhook-url'] ?? null,
      owner_email: required(options, 'owner'),
    })
    context.say(JSON.stringify(made, null, 2))
  },
}

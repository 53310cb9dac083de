import { migrate as applyMigrations } from '@kyc/runtime'
import { type Command, UsageError } from '../command.ts'
import { schemas, serviceNames } from '../services.ts'

export const migrate: Command = {
  usage: '[service...]',
  summary: 'brings the schemas of the named services, or of all, up to date',
  async run(args, { config, logger, say }) {
    const unknown = args.find((name) => !serviceNames.some((known) => known === name))
    if (unknown) throw new UsageError(`there is no service ${unknown}`)
    for (const service of serviceNames) {
      if (args.length > 0 && !args.includes(service)) continue
      const { schema, migrations } = schemas[service]
      await applyMigrations({ url: config.databaseUrl(service), schema, folder: migrations, logger })
      say(`${service}: up to date`)
    }
  },
}

import { type Bus, inProcessBus, rabbitmqBus } from '@kyc/bus'
import type { ServiceName } from '@kyc/common'
import { openVault } from '@kyc/host'
import {
  Closers,
  ConfigError,
  type Logger,
  openDatabase,
  type PooledDatabase,
  systemClock,
} from '@kyc/runtime'
import type { Vault } from '@kyc/vault'
import type { OpsConfig } from './config.ts'
import { schemas } from './services.ts'

/** The dependencies of a command; each is opened on first use. */
export type OpsContext = {
  config: OpsConfig
  logger: Logger
  /** Prints one line for the operator. */
  say(line: string): void
  /** A service's schema; its migrations must be up to date. */
  database(service: ServiceName): Promise<PooledDatabase>
  /** The bus to the running services; requests need RabbitMQ. */
  bus(): Promise<Bus>
  /** Reads and replays dead letters, including those of the in-process bus. */
  deadLetters(): Promise<Bus['deadLetters']>
  vault(): Vault
  close(): Promise<void>
}

export function createContext(
  config: OpsConfig,
  options: { logger: Logger; say: (line: string) => void },
): OpsContext {
  const { logger, say } = options
  const closers = new Closers()
  let started: Promise<Bus> | undefined

  const startBus = async (url: string) => {
    const bus = rabbitmqBus({ url, service: 'operator', logger, clock: systemClock })
    await bus.start()
    closers.add('bus', () => bus.close())
    return bus
  }
  const onRabbitmq = (url: string) => {
    started ??= startBus(url)
    return started
  }

  return {
    config,
    logger,
    say,
    async database(service) {
      const url = config.databaseUrl(service)
      const database = await openDatabase({ url, ...schemas[service], migrate: false, poolSize: 4, logger })
      closers.add(service, () => database.close())
      return database
    },
    bus: async () => {
      if (config.rabbitmqUrl) return onRabbitmq(config.rabbitmqUrl)
      throw new ConfigError(
        'This asks a running service: set RABBITMQ_URL. The all-in-one process is asked through its console.',
      )
    },
    deadLetters: async () => {
      if (config.rabbitmqUrl) return (await onRabbitmq(config.rabbitmqUrl)).deadLetters
      const database = await openDatabase({ url: config.busDatabaseUrl(), schema: 'bus', logger })
      closers.add('bus database', () => database.close())
      // Not started, because the queues belong to the running process, which picks up replayed messages within a
      // second.
      return inProcessBus({ database, logger }).deadLetters
    },
    vault: () => openVault(config.vault(), { clock: systemClock, logger }),
    close: () => closers.closeAll(logger),
  }
}

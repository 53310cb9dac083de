import { describe } from '@jest/globals'
import { type PooledDatabase, silentLogger } from '@kyc/runtime'
import { inProcessBus } from '../src/index.ts'
import { describeContract } from './contract-suite.ts'
import type { Postgres, Transport } from './world.ts'

async function inProcess(postgres: Postgres): Promise<Transport> {
  // Buses of one scope share their tables, as a process and its restart do.
  const databases = new Map<string, PooledDatabase>()
  return {
    async createBus({ scope, ...options }) {
      const database = databases.get(scope) ?? (await postgres.open(`bus_${scope}`))
      databases.set(scope, database)
      return inProcessBus({ database, logger: silentLogger, ...options })
    },
    async close() {
      for (const database of databases.values()) await database.close()
    },
  }
}

describe('the in-process transport', () => {
  describeContract(inProcess)
})

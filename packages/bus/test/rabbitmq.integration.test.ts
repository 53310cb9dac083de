import { describe, test } from '@jest/globals'
import { silentLogger } from '@kyc/runtime'
import { type RabbitmqNode, rabbitmqIsInstalled, startRabbitmq } from '@kyc/testing'
import { rabbitmqBus } from '../src/index.ts'
import { describeContract } from './contract-suite.ts'
import type { Transport } from './world.ts'

const url = process.env.RABBITMQ_URL

async function rabbitmq(): Promise<Transport> {
  const node: RabbitmqNode | undefined = url ? undefined : await startRabbitmq()
  return {
    async createBus({ scope, ...options }) {
      return rabbitmqBus({ url: url ?? node?.url ?? '', service: scope, logger: silentLogger, ...options })
    },
    close: async () => node?.stop(),
  }
}

if (url || rabbitmqIsInstalled()) {
  describe('the RabbitMQ transport', () => {
    describeContract(rabbitmq)
  })
} else {
  test.skip('the RabbitMQ transport: neither RABBITMQ_URL nor an installed rabbitmq-server', () => {})
}

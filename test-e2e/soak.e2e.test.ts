import { beforeAll, describe, expect, test } from '@jest/globals'
import { rabbitmqIsInstalled } from '@kyc/testing'
import type { Sample } from './bench/support/sampler.ts'
import { type Soak, soak } from './bench/support/soak-run.ts'
import { deployedServices } from './support/deployment.ts'

const minutes = Number(process.env.KYC_SOAK_MINUTES ?? 2)
/** The permitted growth of the heap between two collections; a leak of a tenth of a megabyte per session exceeds it. */
const slackMiB = 48
const slackHandles = 12

const installed = rabbitmqIsInstalled()
if (!installed) process.stdout.write('skipped: the soak (rabbitmq-server is not installed)\n')

;(installed ? describe : describe.skip)('under half of the measured load, for minutes', () => {
  let result: Soak
  beforeAll(
    async () => {
      result = await soak({ minutes, warmUpSeconds: 15 })
    },
    (minutes * 60 + 300) * 1_000,
  )

  /** Growth raises the minimum; a burst does not. */
  const floor = (samples: readonly Sample[], value: 'memory' | 'handles') =>
    Math.min(...samples.map((sample) => sample[value]))
  /** The second and the last quarter: after warm-up, and at the end. */
  const quarters = (samples: readonly Sample[]) => {
    const quarter = Math.floor(samples.length / 4)
    return [samples.slice(quarter, 2 * quarter), samples.slice(-quarter)] as const
  }

  test('every session is decided and its webhook delivered', () => {
    expect(result.load.failures).toEqual([])
    expect(result.load.decided).toBeGreaterThan(minutes * 10)
  })

  test.each(deployedServices)('%s keeps running, and its memory and file handles do not grow', (service) => {
    const samples = result.series.get(service) ?? []
    expect(samples.at(-1)?.at).toBeGreaterThan(minutes * 60 - 10)
    const [before, after] = quarters(samples)
    expect(floor(after, 'memory') - floor(before, 'memory')).toBeLessThan(slackMiB)
    expect(floor(after, 'handles') - floor(before, 'handles')).toBeLessThan(slackHandles)
  })

  test('the number of connections to PostgreSQL and RabbitMQ does not grow', () => {
    expect(result.database[1]).toBeLessThanOrEqual(result.database[0] + 2)
    expect(result.broker[1]).toBe(result.broker[0])
    expect(result.broker[1]).toBeGreaterThanOrEqual(deployedServices.length)
  })
})

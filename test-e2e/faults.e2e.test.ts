import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { rabbitmqIsInstalled } from '@kyc/testing'
import { type Cluster, startCluster } from './faults/cluster.ts'
import { faults } from './faults/faults.ts'
import { confidential } from './faults/load.ts'
import { runRound, seededRandom } from './faults/rounds.ts'

const rounds = Number(process.env.KYC_FAULT_ROUNDS ?? 2)
/** `pnpm bench faults` runs all of them; these are the most frequent. */
const usual = ['kill-session', 'kill-webhook-dispatcher', 'kill-postgres', 'cut-broker']

const installed = rabbitmqIsInstalled()
if (!installed)
  process.stdout.write('skipped: faults against real processes (rabbitmq-server is not installed)\n')

;(installed ? describe : describe.skip)('nothing is lost, doubled or left hanging', () => {
  const random = seededRandom(20_260_301)
  let cluster: Cluster
  beforeAll(async () => {
    cluster = await startCluster()
  }, 300_000)
  afterAll(() => cluster?.stop(), 120_000)

  const chosen = faults.filter(({ name }) => usual.includes(name))
  test.each(chosen.map((fault) => [fault.what, fault] as const))(
    'after %s',
    async (_, fault) => {
      for (let round = 1; round <= rounds; round++) {
        const { violations, sessions } = await runRound(cluster, fault, round, random)
        expect(violations).toEqual([])
        expect(sessions).toBeGreaterThan(0)
      }
    },
    rounds * 240_000,
  )

  test('and confidential client data occurs nowhere in clear', async () => {
    expect(await cluster.inTheClear(confidential)).toEqual([])
  })
})

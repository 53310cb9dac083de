import { loadavg } from 'node:os'
import { rabbitmqIsInstalled } from '@kyc/testing'
import { type Cluster, startCluster } from '../faults/cluster.ts'
import { type Fault, faults } from '../faults/faults.ts'
import { confidential } from '../faults/load.ts'
import { faultTable } from '../faults/report.ts'
import { type RoundResult, runRound, seededRandom } from '../faults/rounds.ts'

export const name = 'faults'

/**
 * `KYC_FAULT_ROUNDS` runs of every fault (20 when requested by name), or of those in `KYC_FAULTS`, at random moments
 * drawn from `KYC_FAULT_SEED`, on `KYC_FAULT_CLUSTERS` parallel systems (one). Services run as processes from the
 * output of `pnpm build`.
 */
export async function run(): Promise<string> {
  if (!rabbitmqIsInstalled()) return '## faults\n\nSkipped: no rabbitmq-server is installed.\n'
  // Twenty of each take an hour and a half; when all benchmarks run, one of each must suffice.
  const rounds = Number(process.env.KYC_FAULT_ROUNDS ?? (process.argv.includes(name) ? 20 : 1))
  const seed = Number(process.env.KYC_FAULT_SEED ?? 20_260_301)
  const chosen = chosenFaults(process.env.KYC_FAULTS)
  let stopping = false
  // If interrupted, the table contains the runs so far.
  process.once('SIGTERM', () => {
    stopping = true
  })
  const results: RoundResult[] = []
  const clear: string[] = []
  // Every fault once, then every fault again, so that an early stop leaves the same number of runs of each.
  const waiting = Array.from({ length: rounds }, (_, n) =>
    chosen.map((fault) => ({ fault, round: n + 1 })),
  ).flat()
  const clusters = Number(process.env.KYC_FAULT_CLUSTERS ?? 1)
  await Promise.all(
    Array.from({ length: clusters }, async () => {
      const cluster = await startCluster()
      try {
        for (let next = waiting.shift(); next !== undefined && !stopping; next = waiting.shift())
          results.push(await tellRound(cluster, next.fault, next.round, seed))
        clear.push(...(await cluster.inTheClear(confidential)))
      } finally {
        await cluster.stop()
      }
    }),
  )
  return [
    '## faults',
    '',
    `Eight services as processes, RabbitMQ and PostgreSQL with every commit flushed; each run one fault at a random moment (seed ${seed}) of eight sessions' journeys through the gateway, then one checker once all has settled. Systems side by side: ${clusters}. Load average ${loadavg()[0]?.toFixed(0)}.`,
    '',
    ...faultTable(chosen, results),
    '',
    `Afterwards an address given in confidence stands in the clear in ${clear.length} files and outputs${clear.length > 0 ? `: ${clear.join(', ')}` : ''}.`,
  ].join('\n')
}

/** The random moments depend only on the seed, the fault and the round, so that a single round can be repeated. */
async function tellRound(cluster: Cluster, fault: Fault, round: number, seed: number): Promise<RoundResult> {
  const random = seededRandom(seed + 1_000 * faults.indexOf(fault) + round)
  const result = await runRound(cluster, fault, round, random)
  process.stderr.write(
    `${fault.name} ${round}: settled in ${(result.settledMs / 1000).toFixed(1)} s, ${result.violations.length} violations\n`,
  )
  for (const violation of result.violations) process.stderr.write(`  ${violation}\n`)
  return result
}

function chosenFaults(names: string | undefined): Fault[] {
  if (names === undefined) return [...faults]
  return names.split(',').map((name) => {
    const fault = faults.find((item) => item.name === name)
    if (fault === undefined)
      throw new Error(`no fault ${name}; there are: ${faults.map((item) => item.name).join(', ')}`)
    return fault
  })
}

// The face engine alone in this process, like the peer in its own. Reads two paths per line; writes wall time and CPU
// time in milliseconds, similarity, and peak memory so far in bytes. Arguments: folder of models, threads.
import { readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { createModelStore, silentLogger } from '@kyc/runtime'
import { FaceEngine } from '@kyc/service-face-biometrics'

const [directory = '', threads = '1'] = process.argv.slice(2)
const store = createModelStore({ directory, logger: silentLogger })
const count = Number(threads)
const engine = new FaceEngine({ resolveModel: store.resolve, threads: count, concurrency: count })
await engine.warmUp()
const say = (line: string) => process.stdout.write(`${line}\n`)
say('ready')
for await (const line of createInterface({ input: process.stdin })) {
  const [a = '', b = ''] = line.split('\t')
  const [first, second] = [readFileSync(a), readFileSync(b)]
  const used = process.cpuUsage()
  const started = performance.now()
  const { similarity } = await engine.compare(first, second)
  const wall = performance.now() - started
  const { user, system } = process.cpuUsage(used)
  say(`${wall} ${(user + system) / 1000} ${similarity} ${process.resourceUsage().maxRSS * 1024}`)
}
await engine.close()

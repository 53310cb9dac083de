import { openSync, readFileSync, rmSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from '@jest/globals'
import { droppedLogLines, fileOutput } from './log-output.ts'
import { createLogger } from './logger.ts'
import { createMetrics } from './metrics.ts'

const folder = await mkdtemp(join(tmpdir(), 'kyc-log-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const loggerOn = (path: string) =>
  createLogger({ service: 'example', stream: fileOutput(openSync(path, 'a')) })

test('lines are written to the file immediately', () => {
  const path = join(folder, 'log')
  const logger = loggerOn(path)
  logger.info('one', { n: 1 })
  logger.warn('two')
  const lines = readFileSync(path, 'utf8').trim().split('\n')
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([{ message: 'one', n: 1 }, { message: 'two' }])
})

// A device on which every write fails with ENOSPC.
const withFull = process.platform === 'linux' ? test : test.skip

withFull(
  'lines that a full disk does not take are dropped and counted; whoever logs never notices',
  async () => {
    const before = droppedLogLines()
    const logger = loggerOn('/dev/full')
    for (let n = 0; n < 1_000; n++) logger.error('lost', { n })
    expect(droppedLogLines()).toBe(before + 1_000)
    expect(await createMetrics('example').registry.metrics()).toContain(
      `log_lines_dropped_total{service="example"} ${before + 1_000}`,
    )
  },
)

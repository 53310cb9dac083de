import { Writable } from 'node:stream'
import { expect, test } from '@jest/globals'
import { createLogger, createMetrics } from '@kyc/runtime'
import { type Vault, VaultIntegrityError, VaultObjectMissingError } from '@kyc/vault'
import { reportingDamage } from './report-damage.ts'

const scope = { app_id: 'app_1', session_id: 'ses_1' }

/** A vault in which every read fails with `error`. */
function failing(error: Error) {
  const fail = async () => {
    throw error
  }
  const vault = {
    get: fail,
    describe: fail,
    open: fail,
    openForApp: fail,
    // biome-ignore lint/correctness/useYield: it fails before its first piece
    async *stream() {
      throw error
    },
  } as unknown as Vault
  const metrics = createMetrics('example')
  let logged = ''
  const stream = new Writable({
    write(chunk, _encoding, done) {
      logged += String(chunk)
      done()
    },
  })
  const logger = createLogger({ service: 'example', level: 'info', stream })
  const reporting = reportingDamage(vault, { logger, metrics })
  return { reporting, logged: () => logged, metrics: () => metrics.registry.metrics() }
}

async function readEverything(vault: Vault): Promise<string[]> {
  const reads = [
    vault.get(scope, 'obj_1'),
    vault.describe(scope, 'obj_1'),
    (async () => {
      for await (const _ of vault.stream(scope, 'obj_1'));
    })(),
    vault.open(scope, 'check', Buffer.alloc(1)),
    vault.openForApp('app_1', 'webhook', Buffer.alloc(1)),
  ]
  return (await Promise.allSettled(reads)).map((read) =>
    read.status === 'rejected' ? (read.reason as Error).name : 'read',
  )
}

test('damaged files and values are counted and logged by id, and the caller still gets the error', async () => {
  const world = failing(new VaultIntegrityError('A stored file does not authenticate.'))
  expect(await readEverything(world.reporting)).toEqual(new Array(5).fill('VaultIntegrityError'))
  const metrics = await world.metrics()
  expect(metrics).toContain('vault_integrity_failures_total{of="file",service="example"} 3')
  expect(metrics).toContain('vault_integrity_failures_total{of="value",service="example"} 2')
  expect(
    world
      .logged()
      .split('\n')
      .filter((line) => line.includes('"level":"error"')),
  ).toHaveLength(5)
  for (const id of ['app_1', 'ses_1', 'obj_1']) expect(world.logged()).toContain(id)
})

test('a missing object does not count as damage', async () => {
  const world = failing(new VaultObjectMissingError('not there'))
  expect(await readEverything(world.reporting)).toEqual(new Array(5).fill('VaultObjectMissingError'))
  expect(await world.metrics()).not.toMatch(/vault_integrity_failures_total\{.*\} [1-9]/)
  expect(world.logged()).toBe('')
})

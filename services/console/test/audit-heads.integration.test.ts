import { afterEach, beforeEach, expect, test } from '@jest/globals'
import { createMetrics } from '@kyc/runtime'
import { auditHeadJob, headAgeMs, headEntries, storeAuditHead } from '../src/operations/store-audit-head.ts'
import { type AuditLogWorld, startAuditLogWorld } from './audit-log-world.ts'

let world: AuditLogWorld
beforeEach(async () => {
  world = await startAuditLogWorld()
})
afterEach(() => world.close())

const stored = () => world.vault.heads.list('audit')
const seconds = (ms: number) => ({ seconds: ms / 1000 })

test('an empty log gets no head, the first entry gets one', async () => {
  expect(await world.head('due')).toBeNull()
  await world.write(1)
  await world.head('due')
  expect(await stored()).toEqual([1])
})

test('a head is due after enough entries or enough time, and never without a new entry', async () => {
  await world.write(1)
  await world.head('due')
  await world.write(headEntries - 1)
  await world.head('due')
  expect((await stored()).at(-1)).toBe(1)
  await world.write(1)
  await world.head('due')
  expect((await stored()).at(-1)).toBe(headEntries + 1)
  world.clock.advance(seconds(headAgeMs))
  await world.head('due')
  expect((await stored()).at(-1)).toBe(headEntries + 1)
  await world.write(1)
  await world.head('due')
  expect((await stored()).at(-1)).toBe(headEntries + 2)
})

test('one head per day is retained, in the vault and in the database', async () => {
  for (let day = 0; day < 3; day++) {
    for (let round = 0; round < 3; round++) {
      await world.write(2)
      await world.head()
    }
    world.clock.advance({ days: 1 })
  }
  expect(await stored()).toEqual([6, 12, 18])
  const { rows } = await world.database.query<{ seq: string }>('SELECT seq FROM audit_head_copy ORDER BY seq')
  expect(rows.map(({ seq }) => Number(seq))).toEqual([6, 12, 18])
})

test('replicas that store heads during concurrent writes leave a proven log', async () => {
  const replica = async () => {
    for (let round = 0; round < 10; round++) {
      await world.write(3)
      await storeAuditHead(world.deps(), 'now')
    }
  }
  await Promise.all([replica(), replica(), replica(), world.write(20)])
  await world.head()
  const heads = await stored()
  expect(await world.verify()).toMatchObject({ verdict: 'proven', entries: 110, proven_to: 110 })
  expect(heads.at(-1)).toBe(110)
})

test('a kill between the entry and its head, or between the vault and the copy, loses nothing', async () => {
  await world.write(10)
  const restoreCopies = await world.snapshot('database')
  const head = await world.head()
  // Simulates a kill before the copy was written.
  await restoreCopies()
  expect(await world.verify()).toMatchObject({ verdict: 'proven', proven_to: 10 })
  await world.write(3)
  await world.head()
  expect(await world.verify(head!)).toMatchObject({ verdict: 'proven', proven_to: 13 })
})

test('metrics report entries without a head and a log that contradicts its head', async () => {
  const metrics = createMetrics('console')
  const deps = world.deps()
  const run = auditHeadJob(deps, metrics)
  const gaugeValue = async (name: string) =>
    (await metrics.registry.getSingleMetric(name)?.get())?.values[0]?.value
  await world.write(1)
  await run()
  await world.write(7)
  await run()
  expect(await gaugeValue('audit_entries_unproven')).toBe(7)
  expect(await gaugeValue('audit_log_contradicted')).toBe(0)
  const { heads } = deps.vault
  deps.vault = { ...deps.vault, heads: { ...heads, list: () => Promise.reject(new Error('storage')) } }
  await world.write(5)
  await expect(run()).rejects.toThrow('storage')
  expect(await gaugeValue('audit_entries_unproven')).toBe(12)
  expect(await gaugeValue('audit_log_contradicted')).toBe(0)
  deps.vault = { ...deps.vault, heads }
  await world.attack(['DELETE FROM audit_entry'])
  await expect(run()).rejects.toMatchObject({ code: 'conflict' })
  expect(await gaugeValue('audit_log_contradicted')).toBe(1)
})

import { generateKeyPairSync } from 'node:crypto'
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import type { SignedAuditHead } from '@kyc/common'
import { chainStart } from '../src/domain/audit-chain.ts'
import { createHeadSigner } from '../src/domain/audit-head.ts'
import { acceptAuditLoss } from '../src/operations/accept-audit-loss.ts'
import { type AuditLogWorld, startAuditLogWorld } from './audit-log-world.ts'

let world: AuditLogWorld
/** Heads at entry 50 (first day) and entry 95 (second day), followed by five entries that no head covers. */
let first: SignedAuditHead
let second: SignedAuditHead
beforeEach(async () => {
  world = await startAuditLogWorld()
  await world.write(50)
  first = (await world.head()) as SignedAuditHead
  world.clock.advance({ days: 1 })
  await world.write(45)
  second = (await world.head()) as SignedAuditHead
  await world.write(5)
})
afterEach(() => world.close())

const ranges = ({ problems }: Awaited<ReturnType<AuditLogWorld['verify']>>) =>
  problems.map(({ code, from_seq, to_seq, head }) => [code, from_seq, to_seq, head?.source ?? null])

test('an unmodified log is proven up to its newest head and not beyond', async () => {
  const result = await world.verify()
  expect(result).toMatchObject({
    verdict: 'proven',
    entries: 100,
    chained_to: 100,
    proven_to: 95,
    problems: [],
  })
  expect(result.statement).toEqual([
    `Entries 1 to 95 are proven by the head of ${second.payload.signed_at} stored in the vault.`,
    'Entries 96 to 100 are chained but not yet covered by a head.',
  ])
})

describe('an attack with full rights on the database', () => {
  test('that deletes the newest 39 entries is detected', async () => {
    await world.attack(['DELETE FROM audit_entry WHERE seq > 61'])
    const result = await world.verify()
    expect(result).toMatchObject({ verdict: 'broken', chained_to: 61, proven_to: 50, first_broken_seq: 62 })
    expect(ranges(result)).toEqual([['entries_missing', 62, 95, 'vault']])
    expect(result.statement).toEqual([
      `Entries 62 to 95 are missing: the head of ${second.payload.signed_at} stored in the vault proves that the log had 95 entries.`,
      `Entries 1 to 50 are proven by the head of ${first.payload.signed_at} stored in the vault.`,
      'Entries 51 to 61 are chained but not yet covered by a head.',
    ])
  })

  test('that deletes the newest 39 entries and every head in the database is detected', async () => {
    await world.attack(['DELETE FROM audit_entry WHERE seq > 61'], ['DELETE FROM audit_head_copy'])
    expect(ranges(await world.verify())).toEqual([['entries_missing', 62, 95, 'vault']])
  })

  test.each([
    ['with the heads in the database', ['DELETE FROM audit_entry', 'DELETE FROM audit_head_copy']],
    ['by TRUNCATE', ['TRUNCATE audit_entry, audit_head_copy']],
    ['and leaves the heads', ['DELETE FROM audit_entry']],
  ])('that deletes every entry %s is detected', async (_, statements) => {
    await world.attack(...statements.map((text): [string] => [text]))
    const result = await world.verify()
    expect(result).toMatchObject({ verdict: 'broken', entries: 0, proven_to: 0, first_broken_seq: 1 })
    expect(ranges(result)).toEqual([['entries_missing', 1, 95, 'vault']])
    expect(result.statement.at(-1)).toBe('The log is empty: nothing is proven.')
  })

  test('that deletes the newest 39 entries is detected after the service has written 60 others', async () => {
    await world.attack(['DELETE FROM audit_entry WHERE seq > 61'])
    await world.write(60)
    const result = await world.verify()
    expect(result).toMatchObject({ verdict: 'broken', chained_to: 121, proven_to: 50, first_broken_seq: 51 })
    expect(ranges(result)).toEqual([['entries_replaced', 51, 95, 'vault']])
  })

  test('that edits an entry in the middle is detected', async () => {
    await world.attack([`UPDATE audit_entry SET action = 'test.nothing' WHERE seq = 70`])
    const result = await world.verify()
    expect(result).toMatchObject({ verdict: 'broken', chained_to: 69, proven_to: 50, first_broken_seq: 70 })
    expect(ranges(result)).toEqual([['entry_altered', 70, 70, null]])
  })

  test('that deletes the oldest entry is detected', async () => {
    await world.attack(['DELETE FROM audit_entry WHERE seq = 1'])
    expect(await world.verify()).toMatchObject({ verdict: 'broken', proven_to: 0, first_broken_seq: 1 })
  })

  test('that inserts an entry before the first is detected', async () => {
    await world.attack([
      `INSERT INTO audit_entry (seq, id, at, actor, action, target, details, prev_hash, hash)
       SELECT -7, 'other', at, actor, action, target, details, '${chainStart}', hash FROM audit_entry WHERE seq = 1`,
    ])
    expect(await world.verify()).toMatchObject({ verdict: 'broken', first_broken_seq: -7 })
  })

  test('that edits an entry and recomputes every hash after it is detected', async () => {
    await world.recompute((entry) => (entry.seq === 70 ? { ...entry, action: 'test.nothing' } : entry))
    const result = await world.verify()
    expect(result).toMatchObject({ verdict: 'broken', chained_to: 100, proven_to: 50, first_broken_seq: 51 })
    expect(ranges(result)).toEqual([['entries_replaced', 51, 95, 'vault']])
    expect(result.statement).toContain('Entries 51 to 100 are chained but not yet covered by a head.')
  })

  test('that recomputes the chain from the first entry and forges the heads in the database is detected', async () => {
    await world.recompute((entry) => ({ ...entry, action: 'test.nothing' }))
    const forged = (await world.entries())[94]?.hash
    await world.attack([
      `UPDATE audit_head_copy SET document = jsonb_set(document, '{payload,hash}', to_jsonb($1::text)) WHERE seq = 95`,
      [forged],
    ])
    const result = await world.verify()
    expect(result).toMatchObject({ verdict: 'broken', proven_to: 0, first_broken_seq: 1 })
    expect(ranges(result)).toEqual([
      ['head_invalid', 95, 95, 'database'],
      ['entries_replaced', 1, 95, 'vault'],
    ])
  })

  test('that rolls log and heads back to an older state is detected', async () => {
    const other = await startAuditLogWorld()
    try {
      await other.write(20)
      const restore = await other.snapshot('database')
      await other.write(30)
      await other.head()
      await restore()
      const result = await other.verify()
      expect(result).toMatchObject({ verdict: 'broken', chained_to: 20, first_broken_seq: 21 })
      expect(ranges(result)).toEqual([['entries_missing', 21, 50, 'vault']])
    } finally {
      await other.close()
    }
  })

  test('gets no new head for a modified log, however long the service runs', async () => {
    await world.attack(['DELETE FROM audit_entry WHERE seq > 61'])
    await expect(world.head()).rejects.toMatchObject({ code: 'conflict' })
    await world.write(200)
    world.clock.advance({ days: 2 })
    await expect(world.head('due')).rejects.toMatchObject({ code: 'conflict' })
    expect(await world.vault.heads.list('audit')).toEqual([50, 95])
    expect((await world.verify()).verdict).toBe('broken')
  })

  test('gets no new head for entries after the newest head that are not linked to it', async () => {
    await world.attack([`UPDATE audit_entry SET action = 'test.nothing' WHERE seq = 98`])
    await expect(world.head()).rejects.toThrow('at entry 98')
  })
})

describe('a rollback of database and vault', () => {
  const rollBack = async () => {
    await world.attack(
      ['DELETE FROM audit_entry WHERE seq > 61'],
      ['DELETE FROM audit_head_copy WHERE seq > 50'],
    )
    await rm(join(world.vaultFolder, 'log-heads/audit/95'))
  }

  test('is detected only with a head that the operator exported', async () => {
    await rollBack()
    expect(await world.verify()).toMatchObject({ verdict: 'proven', proven_to: 50 })
    const result = await world.verify(second)
    expect(result).toMatchObject({ verdict: 'broken', proven_to: 50, first_broken_seq: 62 })
    expect(ranges(result)).toEqual([
      ['entries_missing', 62, 95, 'export'],
      ['vault_behind', 51, 95, 'export'],
    ])
  })

  test('is not concealed by an exported head that was altered to match', async () => {
    await rollBack()
    const altered = {
      ...second,
      payload: { ...second.payload, seq: 61, hash: (await world.entries())[60]?.hash ?? '' },
    }
    const result = await world.verify(altered)
    expect(ranges(result)).toEqual([['head_invalid', 61, 61, 'export']])
    expect(result.statement[0]).toContain('that was exported is not valid: the signature does not fit')
  })
})

describe('a vault that', () => {
  test('was restored to an older state is reported while the database has a newer head', async () => {
    await rm(join(world.vaultFolder, 'log-heads/audit/95'))
    const result = await world.verify()
    expect(result).toMatchObject({
      verdict: 'broken',
      chained_to: 100,
      proven_to: 50,
      first_broken_seq: null,
    })
    expect(ranges(result)).toEqual([['vault_behind', 51, 95, 'database']])
  })

  test('was restored to an older state gets a new head, and the log records the loss', async () => {
    await rm(join(world.vaultFolder, 'log-heads'), { recursive: true })
    await world.head('due')
    expect((await world.entries()).at(-1)).toMatchObject({
      action: 'audit.heads_lost',
      details: { vault_seq: 0, known_seq: 95 },
    })
    expect(await world.verify()).toMatchObject({ verdict: 'proven', proven_to: 101 })
  })

  test('lost every head gets no new one for a log that a copy in the database contradicts', async () => {
    await rm(join(world.vaultFolder, 'log-heads'), { recursive: true })
    await world.attack(['DELETE FROM audit_entry WHERE seq > 61'])
    await expect(world.head()).rejects.toThrow('at entry 95')
    expect(ranges(await world.verify())).toEqual([
      ['entries_missing', 62, 95, 'database'],
      ['vault_behind', 1, 95, 'database'],
    ])
  })

  test('has all its heads is not reported as restored because of a copy under another seq', async () => {
    await world.attack(['UPDATE audit_head_copy SET seq = 1000000 WHERE seq = 95'])
    await world.head()
    expect((await world.entries()).at(-1)?.action).toBe('test.acted')
    expect(ranges(await world.verify())).toEqual([['head_invalid', 1_000_000, 1_000_000, 'database']])
  })

  test('holds an unreadable or foreign head is reported and gets no new one', async () => {
    await writeFile(join(world.vaultFolder, 'log-heads/audit/97'), JSON.stringify(second))
    expect(ranges(await world.verify())).toEqual([['head_invalid', 97, 97, 'vault']])
    await writeFile(join(world.vaultFolder, 'log-heads/audit/97'), '{')
    expect(ranges(await world.verify())).toEqual([['head_invalid', 97, 97, 'vault']])
    await expect(world.head()).rejects.toThrow('cannot be read')
  })
})

test('without any head outside the database nothing is proven, not even an empty log', async () => {
  await rm(join(world.vaultFolder, 'log-heads'), { recursive: true })
  await world.attack(['DELETE FROM audit_head_copy'])
  expect(await world.verify()).toMatchObject({
    verdict: 'unproven',
    entries: 100,
    chained_to: 100,
    proven_to: 0,
  })
  await world.attack(['DELETE FROM audit_entry'])
  expect(await world.verify()).toMatchObject({
    verdict: 'unproven',
    entries: 0,
    statement: ['The log is empty: nothing is proven.'],
  })
})

describe('after restoring an older backup of the database', () => {
  const restore = () =>
    world.attack(['DELETE FROM audit_entry WHERE seq > 61'], ['DELETE FROM audit_head_copy WHERE seq > 50'])

  test('an operator accepts exactly the reported loss, and heads are signed again', async () => {
    await restore()
    await expect(acceptAuditLoss(world.deps(), { from_seq: 62, to_seq: 94 })).rejects.toThrow('62 to 95')
    const result = await acceptAuditLoss(world.deps(), { from_seq: 62, to_seq: 95 })
    expect(result).toMatchObject({ verdict: 'proven', entries: 62, proven_to: 62, problems: [] })
    expect(result.statement.at(-1)).toContain(
      'an operator accepted the loss of the entries that were 62 to 95',
    )
    // Heads from before the loss no longer count, but later ones do.
    expect(await world.verify(second)).toMatchObject({ verdict: 'proven' })
    await world.write(60)
    await world.head()
    expect(await world.verify(first, second)).toMatchObject({ verdict: 'proven', proven_to: 122 })
    await world.attack(['DELETE FROM audit_entry WHERE seq > 100'])
    expect(ranges(await world.verify())).toEqual([['entries_missing', 101, 122, 'vault']])
  })

  test('an operator accepts the loss even if the service has written entries since', async () => {
    await restore()
    await world.write(60)
    await acceptAuditLoss(world.deps(), { from_seq: 51, to_seq: 95 })
    expect(await world.verify(second)).toMatchObject({ verdict: 'proven', entries: 122, proven_to: 122 })
  })

  test('an altered entry, a loss that did not happen, and a loss signed with another key cannot be accepted', async () => {
    await expect(acceptAuditLoss(world.deps(), { from_seq: 1, to_seq: 1 })).rejects.toThrow(
      'no entry missing',
    )
    await world.attack([`UPDATE audit_entry SET action = 'test.nothing' WHERE seq = 70`])
    await expect(acceptAuditLoss(world.deps(), { from_seq: 70, to_seq: 70 })).rejects.toThrow('entry_altered')
    await restore()
    const key = JSON.stringify(generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' }))
    const forged = createHeadSigner(key).signLoss({ from_seq: 62, to_seq: 95 }, world.clock.now())
    await world.vault.heads.append('audit-losses', 1, Buffer.from(JSON.stringify(forged)))
    expect(ranges(await world.verify())).toEqual([['entries_missing', 62, 95, 'vault']])
    await expect(world.head()).rejects.toThrow('accepted audit loss 1')
  })
})

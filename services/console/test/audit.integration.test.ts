import { generateKeyPairSync } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals'
import { signatureProblem } from '@kyc/attestation'
import { type PresentedAuditEntry, type SignedAuditHead, setUpApp } from '@kyc/common'
import { newId } from '@kyc/runtime'
import { type ServiceHarness, startService } from '@kyc/testing'
import { firstBreak } from '../src/domain/audit-chain.ts'
import { createHeadSigner } from '../src/domain/audit-head.ts'
import { record } from '../src/operations/context.ts'
import { consoleSchema, consoleService } from '../src/service.ts'
import { type ConsoleClient, consoleClient, signInAndEnrol, signInFully } from './console-client.ts'
import { answerAsNeighbours, settings } from './neighbours.ts'

let harness: ServiceHarness
let owner: ConsoleClient
let person: { email: string; password: string; secret: string }
let appId: string

beforeAll(async () => {
  harness = await startService('console', consoleSchema, (deps) => consoleService(deps, settings), {
    before: answerAsNeighbours,
  })
  const made = await harness.bus.request(setUpApp, {
    name: 'Example',
    environment: 'test',
    webhook_url: null,
    owner_email: 'owner@example.com',
  })
  appId = made.app_id
  owner = consoleClient(harness)
  const { email = '', password = '' } = made.owner ?? {}
  person = { email, password, ...(await signInAndEnrol(harness, owner, email, password)) }
})
afterAll(() => harness.close())
beforeEach(() => signInFully(harness, owner, person))

const act = (app_id: string | null, action: string, target: string) =>
  record(harness, { type: 'system', id: 'test', ip: null }, { app_id, action, target })

/** Changes the table as someone with owner rights on the database could. */
async function tamper(statement: string, values: unknown[] = []): Promise<void> {
  await harness.database.query('ALTER TABLE audit_entry DISABLE TRIGGER USER')
  await harness.database.query(statement, values)
  await harness.database.query('ALTER TABLE audit_entry ENABLE TRIGGER USER')
}

async function exported(query = ''): Promise<PresentedAuditEntry[]> {
  const reply = await owner.get(`/audit/export${query}`)
  expect(reply.headers['content-type']).toBe('application/x-ndjson')
  const lines = (reply.text ?? '').split('\n').filter((line) => line !== '')
  return lines.map((line) => JSON.parse(line) as PresentedAuditEntry)
}

describe('the log', () => {
  test('can be listed by app, action, actor, target and time, page by page', async () => {
    const other = newId('app')
    for (let number = 0; number < 5; number++) await act(other, 'test.acted', `ses_${number}`)
    const page = await owner.get(`/audit?app_id=${other}&action=test.acted&limit=3`)
    expect(page.body.data.map((entry: PresentedAuditEntry) => entry.target)).toEqual([
      'ses_4',
      'ses_3',
      'ses_2',
    ])
    const rest = await owner.get(`/audit?app_id=${other}&before_seq=${page.body.next_before_seq}&limit=3`)
    expect(rest.body.data).toHaveLength(2)
    expect(rest.body.next_before_seq).toBeNull()
    expect((await owner.get('/audit?target=ses_3')).body.data).toHaveLength(1)
    const me = (await owner.get('/me')).body.user.id as string
    const mine = (await owner.get(`/audit?actor_id=${me}&actor_type=user&limit=200`)).body.data
    expect(new Set(mine.map((entry: PresentedAuditEntry) => entry.actor.id))).toEqual(new Set([me]))
    expect(mine[0].ip).toBe('198.51.100.7')
    expect((await owner.get('/audit?from=2031-01-01T00:00:00Z')).body.data).toEqual([])
  })

  test('is exported as lines that anybody can verify without this service', async () => {
    const entries = await exported()
    expect(entries[0]?.seq).toBe(1)
    expect(firstBreak(entries)).toBeNull()
    const filtered = await exported(`?app_id=${appId}`)
    expect(filtered.length).toBeGreaterThan(0)
    expect(new Set(filtered.map((entry) => entry.app_id))).toEqual(new Set([appId]))
  })

  test('rejects modifications even by the service itself', async () => {
    const change = harness.database.query("UPDATE audit_entry SET action = 'x' WHERE seq = 1")
    await expect(change).rejects.toThrow('append-only')
    await expect(harness.database.query('DELETE FROM audit_entry')).rejects.toThrow('append-only')
    await expect(harness.database.query('TRUNCATE audit_entry')).rejects.toThrow('append-only')
  })

  test('has no fork and no gap after concurrent writes', async () => {
    const before = (await exported()).length
    await Promise.all(Array.from({ length: 20 }, (_, number) => act(appId, 'test.raced', `n_${number}`)))
    const entries = await exported()
    expect(entries.length).toBe(before + 21)
    expect(firstBreak(entries)).toBeNull()
  })
})

describe('verification', () => {
  test('proves nothing before a head is stored outside the database', async () => {
    const { body } = await owner.post('/audit/verify')
    expect(body).toMatchObject({ verdict: 'unproven', proven_to: 0, proven_by: null, problems: [] })
    expect(body.chained_to).toBe(body.entries)
  })

  test('of an unmodified log states which entries are proven and by which head', async () => {
    const { payload } = (await owner.post('/audit/head')).body as SignedAuditHead
    const { body } = await owner.post('/audit/verify')
    expect(body).toMatchObject({
      verdict: 'proven',
      proven_to: payload.seq,
      proven_by: { source: 'vault', seq: payload.seq, signed_at: payload.signed_at },
      first_broken_seq: null,
      problems: [],
    })
    expect(body.statement).toContain(
      `Entries 1 to ${payload.seq} are proven by the head of ${payload.signed_at} stored in the vault.`,
    )
  })

  test.each([
    ['a changed word', "action = 'user.nothing'"],
    ['a changed time', "at = '2026-03-01T00:00:00Z'"],
    ['a changed detail', `details = '{"environment":"live"}'`],
    ['another actor', `actor = '{"type":"system","id":"somebody"}'`],
    ['a removed address', "ip = '192.0.2.1'"],
  ])('reports the exact seq of %s, and nothing once it is undone', async (_, change) => {
    const seq = (await exported()).length - 2
    const [row] = (await harness.database.query('SELECT * FROM audit_entry WHERE seq = $1', [seq])).rows as {
      action: string
      at: string
      details: object
      actor: object
      ip: string | null
    }[]
    await tamper(`UPDATE audit_entry SET ${change} WHERE seq = $1`, [seq])
    expect((await owner.post('/audit/verify')).body).toMatchObject({
      verdict: 'broken',
      first_broken_seq: seq,
    })
    await tamper(
      'UPDATE audit_entry SET action = $2, at = $3, details = $4, actor = $5, ip = $6 WHERE seq = $1',
      [seq, row?.action, row?.at, row?.details, row?.actor, row?.ip],
    )
    expect((await owner.post('/audit/verify')).body.verdict).toBe('proven')
  })

  test('reports a removed entry at its seq', async () => {
    const seq = (await exported()).length - 3
    const { rows } = await harness.database.query('SELECT * FROM audit_entry WHERE seq = $1', [seq])
    await tamper('DELETE FROM audit_entry WHERE seq = $1', [seq])
    expect((await owner.post('/audit/verify')).body).toMatchObject({
      verdict: 'broken',
      first_broken_seq: seq,
    })
    await tamper(
      'INSERT INTO audit_entry SELECT * FROM jsonb_populate_record(NULL::audit_entry, $1::jsonb)',
      [JSON.stringify(rows[0])],
    )
    expect((await owner.post('/audit/verify')).body.verdict).toBe('proven')
  })
})

describe('an exported head', () => {
  test('covers every entry up to its own export, and anybody with the public keys can verify it', async () => {
    const head = (await owner.post('/audit/head')).body as SignedAuditHead
    const entries = await exported()
    expect(entries[head.payload.seq - 1]).toMatchObject({
      action: 'audit.head_exported',
      hash: head.payload.hash,
    })
    const { data, keys } = (await owner.get('/audit/heads')).body
    expect(signatureProblem(head, keys)).toBeNull()
    expect(data.at(-1)).toEqual(head)
  })

  test('is compared with the log, and one from another installation is rejected', async () => {
    const head = (await owner.post('/audit/head')).body as SignedAuditHead
    expect((await owner.post('/audit/verify', { head })).body).toMatchObject({ verdict: 'proven' })
    const foreign = createHeadSigner(
      JSON.stringify(generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' })),
    ).sign(head.payload, harness.clock.now())
    const { body } = await owner.post('/audit/verify', { head: foreign })
    expect(body).toMatchObject({ verdict: 'broken', problems: [{ code: 'head_invalid' }] })
    expect((await owner.post('/audit/verify', { head: { seq: 1 } })).status).toBe(400)
  })
})

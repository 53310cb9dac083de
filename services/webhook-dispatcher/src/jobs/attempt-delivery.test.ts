import { describe, expect, test } from '@jest/globals'
import type { SendRequest } from '@kyc/outbound'
import { newId, silentLogger } from '@kyc/runtime'
import {
  VaultIntegrityError,
  VaultKeyDestroyedError,
  VaultKeyUnavailableError,
  VaultStorageError,
} from '@kyc/vault'
import type { Lease } from '../store/leases.ts'
import { type AttemptParts, attemptDelivery } from './attempt-delivery.ts'
import { OpenedSecrets } from './opened-secrets.ts'

const now = new Date('2026-03-01T12:00:00Z')
const seconds = (count: number) => new Date(now.getTime() + count * 1000)

const lease = (change: Partial<Lease> = {}): Lease => ({
  lease_id: '7c1f7b1e-7a55-4b43-9b1c-6d6bb6a2b1f0',
  app_id: newId('app'),
  event: {
    event: 'session.status_updated',
    delivery_id: newId('delivery'),
    created_at: '2026-03-01T12:00:00Z',
    data: {
      session_id: newId('session'),
      status: 'approved',
      previous_status: 'processing',
      vendor_data: null,
      workflow_id: newId('workflow'),
    },
  },
  sealed_decision: Buffer.from('sealed'),
  correlation_id: null,
  traceparent: null,
  stage: { stage: 'delivering', attempts: 2, attempt: 3, leasedUntil: seconds(30) },
  destination: {
    url: 'https://hooks.example.com/',
    sealed_secret: Buffer.from('sealed'),
    environment: 'test',
  },
  ...change,
})

/** A vault with the given `open`, and a network that answers 204 and records requests. */
function parts(open: () => Promise<unknown>, openForApp: () => Promise<unknown> = async () => 'whsec_x') {
  const sent: SendRequest[] = []
  const network: AttemptParts['outbound']['test'] = {
    send: async (request) => {
      sent.push(request)
      return { status_code: 204, body_excerpt: Buffer.alloc(0), duration_ms: 3 }
    },
  }
  const given: AttemptParts = {
    vault: { open },
    secrets: new OpenedSecrets({ openForApp }, { now: () => now }),
    outbound: { test: network, live: network },
    clock: { now: () => now },
    logger: silentLogger,
    schedule: { delaysMs: [30_000], jitterRatio: 0 },
    timeoutMs: 10_000,
    userAgent: 'kyc-webhooks/1.0',
    random: () => 0,
  }
  return { given, sent }
}

describe('an attempt', () => {
  test.each([
    ['key manager', new VaultKeyUnavailableError('away')],
    ['storage', new VaultStorageError('away')],
  ])('is not made or counted while the vault has no %s: the delivery waits', async (_, error) => {
    const { given, sent } = parts(() => Promise.reject(error))
    const { settlement, outcome } = await attemptDelivery(given, lease())
    expect(settlement).toMatchObject({
      stage: { stage: 'pending', attempts: 2, nextAttemptAt: seconds(30) },
      attempt: null,
    })
    expect([outcome, sent]).toEqual([null, []])
  })

  test.each([
    ['decision', () => Promise.reject(new VaultIntegrityError('damaged')), undefined],
    [
      'secret',
      () => Promise.reject(new VaultKeyDestroyedError('gone')),
      () => Promise.reject(new VaultIntegrityError('damaged')),
    ],
  ])('is never made with a damaged %s', async (_, open, openForApp) => {
    const { given, sent } = parts(open, openForApp)
    const { settlement } = await attemptDelivery(given, lease())
    expect(settlement).toMatchObject({ stage: { stage: 'failed', attempts: 2 }, attempt: null })
    expect(sent).toEqual([])
  })

  test('is not made without a URL', async () => {
    const { given, sent } = parts(async () => null)
    const { settlement } = await attemptDelivery(given, lease({ destination: null }))
    expect(settlement).toMatchObject({ stage: { stage: 'failed', attempts: 2 }, attempt: null })
    expect(sent).toEqual([])
  })

  test('is made with decision null for a session whose key was destroyed', async () => {
    const { given, sent } = parts(() => Promise.reject(new VaultKeyDestroyedError('gone')))
    const { settlement } = await attemptDelivery(given, lease())
    expect(settlement).toMatchObject({
      stage: { stage: 'delivered', attempts: 3 },
      attempt: { number: 3, at: now, status_code: 204, error: null, duration_ms: 3 },
    })
    expect(JSON.parse(sent[0]!.body.toString())).toMatchObject({ data: { decision: null } })
    expect(sent[0]).toMatchObject({ timeoutMs: 10_000, maxBodyBytes: 256 })
  })

  test('opens nothing for an intermediate status', async () => {
    const { given, sent } = parts(() => Promise.reject(new Error('opened')))
    await attemptDelivery(given, lease({ sealed_decision: null }))
    expect(JSON.parse(sent[0]!.body.toString())).toMatchObject({ data: { decision: null } })
  })
})

import { channel } from 'node:diagnostics_channel'
import { existsSync, readFileSync } from 'node:fs'
import { createServer, type Server } from 'node:net'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { type Logger, silentLogger } from '@kyc/runtime'
import { createOutboundClient } from './client.ts'
import type { CheckedDestination } from './destination-guard.ts'
import { createDestinationGuard } from './destination-guard.ts'
import { OutboundError } from './errors.ts'
import { send } from './send.ts'

type Case = {
  url: string
  expect: 'refuse' | 'accept'
  family: string
  resolves_to?: string[]
  resolves_to_2?: string[]
  own_addresses?: string[]
  must_not_connect_to?: string[]
}

const file = join(process.env.KYC_SHARED_DIR ?? resolve('../shared'), 'data/hostile/urls.jsonl')
const present = existsSync(file)
if (!present) console.warn(`skipped: the corpus of hostile URLs is not at ${file}`)
const cases: Case[] = present
  ? readFileSync(file, 'utf8')
      .split('\n')
      .filter((line) => line.length > 0)
      .map((line) => JSON.parse(line) as Case)
  : []
const rows: [string, Case][] = cases.map((row) => [
  `${row.family}: ${JSON.stringify(row.url).slice(0, 70)}`,
  row,
])

const request = { headers: {}, body: Buffer.from('{}'), timeoutMs: 2_000, maxBodyBytes: 256 }

/** Returns the answers in turn and then repeats the last one. A name without an answer does not exist. */
function stubResolver(...answers: (string[] | undefined)[]) {
  const given = answers.filter((answer) => answer !== undefined)
  let calls = 0
  const resolver = async () => given[Math.min(calls++, given.length - 1)] ?? []
  return Object.assign(resolver, { calls: () => calls })
}

function recordingLogger() {
  const lines: { message: string; fields: Record<string, unknown> | undefined }[] = []
  const logger: Logger = {
    ...silentLogger,
    warn: (message, fields) => void lines.push({ message, fields }),
  }
  return { logger, lines }
}

const suite = present ? describe : describe.skip

suite('hostile URLs', () => {
  const sentinels: Server[] = []
  let touched = 0
  let sockets = 0
  const countSocket = () => void sockets++

  beforeAll(async () => {
    channel('net.client.socket').subscribe(countSocket)
    for (const [host, port] of [
      ['127.0.0.1', 0],
      ['127.0.0.1', 8080],
      ['::1', 0],
      ['127.0.0.1', 80],
    ] as const) {
      const server = createServer((socket) => {
        touched++
        socket.destroy()
      })
      // A port that is in use or reserved on this machine needs no test server, because the socket counter detects
      // every connection.
      await new Promise<void>((ready) => server.once('error', () => ready()).listen(port, host, ready))
      sentinels.push(server)
    }
  })
  afterAll(async () => {
    channel('net.client.socket').unsubscribe(countSocket)
    await Promise.all(sentinels.map((server) => new Promise((done) => server.close(done))))
  })

  const isSaved = (row: Case) => row.expect === 'accept' || row.family === 'rebind_save_then_send'

  test.each(rows)('correct verdict on save: %s', async (_, row) => {
    const before = sockets
    const client = createOutboundClient({
      resolver: stubResolver(row.resolves_to),
      allowPrivate: false,
      ownAddresses: row.own_addresses ?? [],
      logger: silentLogger,
    })
    const checked = await client.checkUrl(row.url)
    expect(checked.ok).toBe(isSaved(row))
    expect(sockets).toBe(before)
  })

  test.each(rows.filter(([, row]) => row.expect === 'refuse'))('no socket on send: %s', async (_, row) => {
    const before = sockets
    const { logger, lines } = recordingLogger()
    const client = createOutboundClient({
      resolver: stubResolver(row.resolves_to_2 ?? row.resolves_to),
      allowPrivate: false,
      ownAddresses: row.own_addresses ?? [],
      logger,
    })
    const outcome = await client.send({ ...request, url: row.url })
    expect(outcome.error?.code).toMatch(/^(invalid_url|destination_refused|name_not_resolved)$/)
    expect(outcome).toMatchObject({ status_code: null, body_excerpt: Buffer.alloc(0) })
    for (const address of row.resolves_to_2 ?? row.resolves_to ?? []) {
      expect(JSON.stringify(outcome)).not.toContain(address)
    }
    if (outcome.error?.code !== 'name_not_resolved') expect(lines).toHaveLength(1)
    expect(sockets).toBe(before)
    expect(touched).toBe(0)
  })

  test.each(rows.filter(([, row]) => row.expect === 'accept'))('pinned on send: %s', async (_, row) => {
    const first = row.family.startsWith('rebind') ? row.resolves_to : (row.resolves_to_2 ?? row.resolves_to)
    const resolver = stubResolver(first, row.resolves_to_2)
    const guard = createDestinationGuard({
      resolver,
      allowPrivate: false,
      ownAddresses: row.own_addresses ?? [],
      ownHosts: [],
      logger: silentLogger,
    })
    const connected: CheckedDestination[] = []
    // The network is stubbed here. send.test.ts shows with real addresses that the socket uses them.
    await send(
      guard,
      async (destination) => {
        connected.push(destination)
        throw new OutboundError('connection_refused')
      },
      { ...request, url: row.url },
    )
    expect(connected).toHaveLength(1)
    expect(connected[0]!.addresses).toEqual(first?.slice(0, 4) ?? [connected[0]!.host])
    expect(resolver.calls()).toBe(first === undefined ? 0 : 1)
  })
})

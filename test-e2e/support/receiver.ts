import { createHmac, timingSafeEqual } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

export type Received = {
  event: string
  delivery_id: string
  data: {
    session_id: string
    status: string
    previous_status: string
    decision: { decision_reason: string | null; identity: Record<string, unknown> } | null
  }
}

/** Statuses that come with a decision. */
const decided = new Set(['approved', 'declined', 'in_review'])

/**
 * A client's webhook endpoint: verifies each signature over the raw body, as section 6.3 of the API documentation
 * specifies, and stores accepted events unless a long load disables that. Events that fail verification are counted,
 * never stored.
 */
export async function startReceiver({ host = '127.0.0.1', port: wanted = 0, keep = true } = {}) {
  let secret = ''
  let refused = 0
  const received: Received[] = []
  const waiting = new Set<() => void>()
  const decisions = new Map<string, (item: Received) => void>()
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const raw = Buffer.concat(chunks)
      const timestamp = String(request.headers['x-kyc-timestamp'] ?? '')
      const given = Buffer.from(String(request.headers['x-kyc-signature'] ?? ''))
      const expected = Buffer.from(
        `v1=${createHmac('sha256', secret).update(`${timestamp}.`).update(raw).digest('hex')}`,
      )
      const fresh = Math.abs(Date.now() / 1000 - Number(timestamp)) <= 300
      if (!fresh || given.length !== expected.length || !timingSafeEqual(given, expected)) {
        refused++
        response.writeHead(401).end()
        return
      }
      const item = JSON.parse(raw.toString('utf8')) as Received
      response.writeHead(204).end()
      if (decided.has(item.data.status)) decisions.get(item.data.session_id)?.(item)
      if (keep) received.push(item)
      for (const look of waiting) look()
    })
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(wanted, host, resolve)
  })
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/hook`,
    received,
    refused: () => refused,
    useSecret: (value: string) => {
      secret = value
    },
    statusesOf: (sessionId: string) =>
      received.filter((item) => item.data.session_id === sessionId).map((item) => item.data.status),
    /** Resolves with the first accepted event that matches. */
    until: (fits: (item: Received) => boolean, deadlineMs = 60_000): Promise<Received> =>
      new Promise((resolve, reject) => {
        const timer = setTimeout(() => {
          waiting.delete(look)
          reject(
            new Error(
              `no such webhook came; those that did: ${JSON.stringify(received.map((item) => item.data.status))}`,
            ),
          )
        }, deadlineMs)
        const look = () => {
          const found = received.find(fits)
          if (!found) return
          clearTimeout(timer)
          waiting.delete(look)
          resolve(found)
        }
        waiting.add(look)
        look()
      }),
    /**
     * Resolves with the decision of one session; must be called before it can arrive. Its cost is negligible for
     * a load test.
     */
    decisionOf: (sessionId: string, deadlineMs = 60_000): Promise<Received> =>
      new Promise((resolve, reject) => {
        const timer = setTimeout(() => {
          decisions.delete(sessionId)
          reject(new Error(`no decision of ${sessionId} came within ${deadlineMs} ms`))
        }, deadlineMs)
        decisions.set(sessionId, (item) => {
          clearTimeout(timer)
          decisions.delete(sessionId)
          resolve(item)
        })
      }),
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
export type Receiver = Awaited<ReturnType<typeof startReceiver>>

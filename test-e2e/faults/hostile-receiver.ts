import { createHmac, timingSafeEqual } from 'node:crypto'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** How a client's receiver fails. `ok` verifies, stores and answers 204. */
export const hostilities = [
  'answers_500',
  'redirects',
  'hangs',
  'drips',
  'resets',
  'floods',
  'closes_after_headers',
] as const
export type Hostility = (typeof hostilities)[number]

export type Accepted = {
  delivery_id: string
  event: string
  data: { session_id: string; status: string; previous_status: string }
}

const floodBytes = 1_000_000_000

/** A receiver that fails in the given way, and verifies and stores the requests it accepts. */
export async function startHostileReceiver() {
  let mode: Hostility | 'ok' = 'ok'
  let secret = ''
  let badSignatures = 0
  let redirected = 0
  const accepted: Accepted[] = []
  const server = createServer((request, response) => {
    if (request.url !== '/hook') {
      redirected++
      response.end()
      return
    }
    const failing = mode
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('error', () => undefined)
    request.on('end', () => {
      const raw = Buffer.concat(chunks)
      if (!verified(raw, request.headers, secret)) badSignatures++
      if (failing !== 'ok') {
        fail(failing, response)
        return
      }
      accepted.push(JSON.parse(raw.toString('utf8')) as Accepted)
      response.writeHead(204).end()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/hook`,
    accepted,
    badSignatures: () => badSignatures,
    /** Requests that followed a redirect: there must be none. */
    redirected: () => redirected,
    use: (value: string) => {
      secret = value
    },
    become: (next: Hostility | 'ok') => {
      mode = next
    },
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
export type HostileReceiver = Awaited<ReturnType<typeof startHostileReceiver>>

function verified(raw: Buffer, headers: NodeJS.Dict<string | string[]>, secret: string): boolean {
  const timestamp = String(headers['x-kyc-timestamp'] ?? '')
  const given = Buffer.from(String(headers['x-kyc-signature'] ?? ''))
  const mac = createHmac('sha256', secret).update(`${timestamp}.`).update(raw).digest('hex')
  const expected = Buffer.from(`v1=${mac}`)
  return given.length === expected.length && timingSafeEqual(given, expected)
}

const failures: Record<Hostility, (response: ServerResponse) => void> = {
  answers_500: (response) => void response.writeHead(500).end('no'),
  redirects: (response) => void response.writeHead(301, { location: '/elsewhere' }).end(),
  hangs: () => undefined,
  drips: (response) => {
    response.writeHead(200, { 'content-length': '1000' })
    const drip = setInterval(() => response.write('.'), 200)
    response.on('close', () => clearInterval(drip))
  },
  resets: (response) => void response.socket?.resetAndDestroy(),
  floods: (response) => {
    response.writeHead(500)
    const block = Buffer.alloc(65_536, 'x')
    let sent = 0
    const pour = () => {
      while (!response.destroyed && sent < floodBytes) {
        sent += block.length
        if (!response.write(block)) {
          response.once('drain', pour)
          return
        }
      }
      response.end()
    }
    pour()
  },
  closes_after_headers: (response) => {
    response.writeHead(200, { 'content-length': '10' })
    response.flushHeaders()
    response.socket?.end()
  },
}

const fail = (how: Hostility, response: ServerResponse): void => failures[how](response)

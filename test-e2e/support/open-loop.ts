import { Agent, request } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'

export type Answered = {
  status: number
  ms: number
  /** The part of `ms` until a connection was free. */
  waitedMs: number
  retryAfter: string | undefined
  body: string
}

/**
 * `perSecond` requests a second for `seconds`, regardless of earlier responses, as sent by independent clients: a
 * Poisson process. Each is timed from when it was due. Status 0: no response. (autocannon's own rate sends all
 * requests of a second at its start.)
 */
export async function offer(options: {
  url: string
  method?: string
  headers: Record<string, string>
  body?: string | ((request: number) => string)
  perSecond: number
  seconds: number
  /**
   * As through a load balancer: a request that finds no free connection waits for one, and its time counts.
   * Unlimited by default.
   */
  connections?: number
}): Promise<Answered[]> {
  const { connections = Number.POSITIVE_INFINITY } = options
  const agent = new Agent({ keepAlive: true, maxSockets: connections, maxFreeSockets: 4_096 })
  const began = performance.now()
  const sent: Promise<Answered>[] = []
  // Gaps of a Poisson process are exponential: the inverse of their distribution function, applied to a uniform number.
  const gapMs = () => (-Math.log(1 - Math.random()) / options.perSecond) * 1_000
  const end = began + options.seconds * 1_000
  for (let due = began + gapMs(); due < end; ) {
    for (; due < end && due <= performance.now(); due += gapMs()) {
      const { body } = options
      sent.push(ask({ ...options, body: typeof body === 'function' ? body(sent.length) : body, due }, agent))
    }
    await delay(1)
  }
  const answers = await Promise.all(sent)
  agent.destroy()
  return answers
}

function ask(
  {
    url,
    method = 'GET',
    headers,
    body,
    due,
  }: Pick<Parameters<typeof offer>[0], 'url' | 'method' | 'headers'> & {
    body: string | undefined
    due: number
  },
  agent: Agent,
): Promise<Answered> {
  let waitedMs = 0
  return new Promise((resolve) => {
    const answered = (status: number, retryAfter: string | undefined, text: string) =>
      resolve({ status, ms: performance.now() - due, waitedMs, retryAfter, body: text })
    const asked = request(
      url,
      {
        method,
        agent,
        headers: {
          ...headers,
          ...(body === undefined
            ? {}
            : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }),
        },
      },
      (response) => {
        const chunks: Buffer[] = []
        response.on('data', (chunk: Buffer) => chunks.push(chunk))
        response.on('end', () =>
          answered(
            response.statusCode ?? 0,
            response.headers['retry-after'],
            Buffer.concat(chunks).toString('utf8'),
          ),
        )
        response.on('error', () => answered(0, undefined, ''))
      },
    )
    asked.once('socket', () => {
      waitedMs = performance.now() - due
    })
    asked.on('error', () => answered(0, undefined, ''))
    asked.end(body)
  })
}

/** The times of responses with this status in ascending order: from being due, or from having a connection. */
export const timesOf = (
  answers: readonly Answered[],
  status: number,
  from: 'due' | 'connected' = 'due',
): number[] =>
  answers
    .filter((answer) => answer.status === status)
    .map(({ ms, waitedMs }) => (from === 'due' ? ms : ms - waitedMs))
    .sort((a, b) => a - b)

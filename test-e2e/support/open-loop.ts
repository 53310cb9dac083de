import { Agent, request } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'

export type Answered = {
  status: number
  ms: number
  /** Of `ms`, until a connection was free. */
  waitedMs: number
  retryAfter: string | undefined
  body: string
}

/**
 * `perSecond` requests a second for `seconds`, whether or not those before were answered, as clients that know nothing of each
 * other send them. Status 0: no answer.
 */
export async function offer(options: {
  url: string
  method?: string
  headers: Record<string, string>
  body?: string
  perSecond: number
  seconds: number
  /** As through a load balancer: what finds none free waits for one, and its time counts. Without end by default. */
  connections?: number
}): Promise<Answered[]> {
  const { connections = Number.POSITIVE_INFINITY } = options
  const agent = new Agent({ keepAlive: true, maxSockets: connections, maxFreeSockets: 4_096 })
  const began = performance.now()
  const sent: Promise<Answered>[] = []
  for (;;) {
    const elapsed = (performance.now() - began) / 1_000
    if (elapsed >= options.seconds) break
    const due = Math.floor(elapsed * options.perSecond)
    while (sent.length < due) sent.push(ask(options, agent))
    await delay(1)
  }
  const answers = await Promise.all(sent)
  agent.destroy()
  return answers
}

function ask(
  { url, method = 'GET', headers, body }: Parameters<typeof offer>[0],
  agent: Agent,
): Promise<Answered> {
  const began = performance.now()
  let waitedMs = 0
  return new Promise((resolve) => {
    const answered = (status: number, retryAfter: string | undefined, text: string) =>
      resolve({ status, ms: performance.now() - began, waitedMs, retryAfter, body: text })
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
      waitedMs = performance.now() - began
    })
    asked.on('error', () => answered(0, undefined, ''))
    asked.end(body)
  })
}

/** Of answers with this status, their times in ascending order: from being due, or from having a connection. */
export const timesOf = (
  answers: readonly Answered[],
  status: number,
  from: 'due' | 'connected' = 'due',
): number[] =>
  answers
    .filter((answer) => answer.status === status)
    .map(({ ms, waitedMs }) => (from === 'due' ? ms : ms - waitedMs))
    .sort((a, b) => a - b)

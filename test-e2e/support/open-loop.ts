import { Agent, request } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'

export type Answered = { status: number; ms: number; retryAfter: string | undefined; body: string }

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
}): Promise<Answered[]> {
  const agent = new Agent({ keepAlive: true, maxSockets: Number.POSITIVE_INFINITY, maxFreeSockets: 4_096 })
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
  return new Promise((resolve) => {
    const answered = (status: number, retryAfter: string | undefined, text: string) =>
      resolve({ status, ms: performance.now() - began, retryAfter, body: text })
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
    asked.on('error', () => answered(0, undefined, ''))
    asked.end(body)
  })
}

/** Of answers with this status, their times in ascending order. */
export const timesOf = (answers: readonly Answered[], status: number): number[] =>
  answers
    .filter((answer) => answer.status === status)
    .map(({ ms }) => ms)
    .sort((a, b) => a - b)

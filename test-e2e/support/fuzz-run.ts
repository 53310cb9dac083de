import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { errorCodes, errorEnvelope } from '@kyc/common'
import fc, { type Arbitrary } from 'fast-check'
import type { Named } from './fuzz-requests.ts'
import { type RawAnswer, type RawRequest, rawAgent, sendRaw } from './raw-request.ts'

const concurrency = 12
const page = 250

export type FuzzRun = {
  url: string
  requests: number
  seed: number
  endpoints: readonly Named[]
  /** The weight of an endpoint relative to the others. */
  weight(endpoint: Named): number
  /** Its requests, including credentials. */
  arbitrary(endpoint: Named): Arbitrary<RawRequest>
  /** Called before each page of requests and before each request; recreates what an earlier request may have ended. */
  beforePage?(): Promise<void>
  prepare?(endpoint: Named, request: RawRequest): Promise<RawRequest>
}

export type FuzzResult = {
  /** Forbidden responses, each with its request; the run ends at ten. */
  faults: string[]
  statuses: Record<string, number>
  /** Operations that succeeded at least once. */
  succeeded: Set<string>
  /** Growth of memory in MB after the first quarter, when caches, pools and compiled patterns are in place. */
  grownMegabytes: number
}

/** Sends requests generated from the contracts, a few at a time, and checks every response. */
export async function runFuzz(run: FuzzRun): Promise<FuzzResult> {
  const any = fc.oneof(
    ...run.endpoints.map((endpoint) => ({
      weight: run.weight(endpoint),
      arbitrary: run.arbitrary(endpoint).map((request) => ({ endpoint, request })),
    })),
  )
  const agent = rawAgent()
  const faults: string[] = []
  const statuses: Record<string, number> = {}
  const succeeded = new Set<string>()
  let warm = 0
  try {
    for (let done = 0; done < run.requests && faults.length < 10; done += page) {
      await run.beforePage?.()
      const queue = fc.sample(any, { numRuns: Math.min(page, run.requests - done), seed: run.seed + done })
      await Promise.all(
        Array.from({ length: concurrency }, async () => {
          for (let item = queue.pop(); item; item = queue.pop()) {
            const { endpoint } = item
            let { request } = item
            try {
              request = (await run.prepare?.(endpoint, request)) ?? request
              const answer = await sendRaw(run.url, agent, request)
              statuses[answer.status] = (statuses[answer.status] ?? 0) + 1
              if (isSuccess(endpoint, request, answer)) succeeded.add(endpoint.operationId)
              const fault = faultOf(endpoint, request, answer)
              if (fault) faults.push(`${fault} <- ${shown(endpoint, request)}`)
            } catch (error) {
              faults.push(`${String(error)} <- ${shown(endpoint, request)}`)
            }
          }
        }),
      )
      if (warm === 0 && done + page >= run.requests / 4) warm = liveBytes()
    }
  } finally {
    agent.destroy()
  }
  return { faults, statuses, succeeded, grownMegabytes: (liveBytes() - warm) / 1e6 }
}

const shown = (endpoint: Named, request: RawRequest) =>
  `${endpoint.operationId} ${request.method} ${request.path.slice(0, 200)} ${JSON.stringify(request.headers).slice(0, 300)} ${request.body?.toString('latin1').slice(0, 300)}`

const isSuccess = (endpoint: Named, request: RawRequest, { status }: RawAnswer) =>
  request.method.toLowerCase() === endpoint.method && status === endpoint.success.status

/** Responses that are forbidden for any request. */
function faultOf(endpoint: Named, request: RawRequest, answer: RawAnswer): string | null {
  const { status, headers, body, ms } = answer
  if (status >= 500) return `status ${status}: ${body.slice(0, 200)}`
  if (ms > 20_000) return `${Math.round(ms)} ms`
  if (headers['access-control-allow-origin'] !== undefined) return 'another origin may read it'
  if (headers['x-powered-by'] !== undefined) return 'it says what it is made of'
  if (body.includes('node_modules') || body.includes('    at ')) return 'it shows a stack'
  if (request.method === 'HEAD') return null
  if (status >= 400) {
    // The page itself reports an unknown link, as HTML.
    if (endpoint.success.type === 'html' && String(headers['content-type']).startsWith('text/html'))
      return null
    const parsed = errorEnvelope.strict().safeParse(parseJson(body))
    if (!parsed.success) return `status ${status} without the envelope: ${body.slice(0, 200)}`
    if (!(errorCodes as string[]).includes(parsed.data.error.code)) return `code ${parsed.data.error.code}`
    return null
  }
  if (!isSuccess(endpoint, request, answer) || !endpoint.success.body || endpoint.success.type) return null
  const fits = endpoint.success.body.safeParse(parseJson(body))
  return fits.success ? null : `an answer that is not the contract's: ${fits.error.issues[0]?.path.join('.')}`
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Bytes in use after a full garbage collection. */
function liveBytes(): number {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  collect()
  collect()
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}

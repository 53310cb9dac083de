import { Agent, request as httpRequest } from 'node:http'

export type RawRequest = {
  method: string
  path: string
  headers: Record<string, string>
  body: Buffer | null
}
export type RawAnswer = {
  status: number
  headers: Record<string, string | string[] | undefined>
  body: string
  ms: number
}

export const rawAgent = () => new Agent({ keepAlive: true, maxSockets: 32 })

/** Sends exactly the given bytes: method, path, headers and body are not normalised. */
export function sendRaw(
  origin: string,
  agent: Agent,
  given: RawRequest,
  deadlineMs = 30_000,
): Promise<RawAnswer> {
  const started = performance.now()
  const { hostname, port } = new URL(origin)
  return new Promise((resolve, reject) => {
    const request = httpRequest(
      {
        agent,
        hostname,
        port,
        method: given.method,
        path: given.path,
        headers: { ...given.headers, ...(given.body ? { 'content-length': String(given.body.length) } : {}) },
      },
      (response) => {
        const chunks: Buffer[] = []
        const answer = () => {
          clearTimeout(timer)
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            body: Buffer.concat(chunks).toString('utf8'),
            ms: performance.now() - started,
          })
        }
        // A stream of events has no end, so its start counts as the response.
        if (response.headers['content-type']?.startsWith('text/event-stream')) {
          response.on('error', () => {})
          response.destroy()
          return answer()
        }
        response.on('data', (chunk: Buffer) => chunks.push(chunk))
        response.on('error', reject)
        response.on('end', answer)
      },
    )
    const timer = setTimeout(() => request.destroy(new Error(`no answer in ${deadlineMs} ms`)), deadlineMs)
    request.on('error', (error) => {
      clearTimeout(timer)
      reject(error)
    })
    request.end(given.body ?? undefined)
  })
}

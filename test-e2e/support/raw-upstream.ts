import { createServer, type Socket } from 'node:net'

/** One request with the bytes received on the upstream socket. */
export type UpstreamRequest = {
  connection: number
  method: string
  target: string
  /** Names in lower case, including repetitions. */
  headers: [name: string, value: string][]
  body: Buffer
}

/**
 * A service that is only a socket: it parses the bytes of each connection strictly by RFC 9112 and records
 * everything that is not exactly one request after the other. It answers each with 200, or with the result of
 * `answer`.
 */
export async function startRawUpstream(
  answer: (request: UpstreamRequest, socket: Socket) => string | undefined = () => okAnswer,
) {
  const requests: UpstreamRequest[] = []
  const violations: string[] = []
  const sockets = new Set<Socket>()
  let count = 0
  const server = createServer((socket) => {
    const connection = count++
    let pending: Buffer = Buffer.alloc(0)
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
    socket.on('error', () => undefined)
    socket.on('data', (chunk) => {
      pending = Buffer.concat([pending, chunk])
      for (;;) {
        const read = readRequest(pending)
        if (read === undefined) return
        if ('violation' in read) {
          violations.push(`${read.violation}: ${JSON.stringify(pending.toString('latin1').slice(0, 300))}`)
          socket.destroy()
          return
        }
        pending = pending.subarray(read.length)
        const request = { ...read.request, connection }
        requests.push(request)
        const text = answer(request, socket)
        if (text !== undefined) socket.write(text, 'latin1')
      }
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { port: number }
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    violations,
    /** Connections that are open now. */
    open: () => sockets.size,
    close: () => {
      for (const socket of sockets) socket.destroy()
      server.close()
    },
  }
}
export type RawUpstream = Awaited<ReturnType<typeof startRawUpstream>>

export const okAnswer =
  'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\nx-from: upstream\r\ncontent-length: 11\r\n\r\n{"ok":true}'

type Read = { length: number; request: Omit<UpstreamRequest, 'connection'> } | { violation: string }

const requestLine = /^(GET|HEAD|POST|PUT|PATCH|DELETE) (\/[\x21-\x7e]*) HTTP\/1\.1$/
const headerLine = /^([!#$%&'*+\-.^_`|~0-9A-Za-z]+): ?([\x20-\x7e\x80-\xff\t]*)$/

/** The first request of `bytes`; undefined while it is incomplete. */
function readRequest(bytes: Buffer): Read | undefined {
  const end = bytes.indexOf('\r\n\r\n')
  if (end === -1) return bytes.length > 64 * 1024 ? { violation: 'headers without an end' } : undefined
  const [first = '', ...lines] = bytes.subarray(0, end).toString('latin1').split('\r\n')
  const [, method, target] = requestLine.exec(first) ?? []
  if (!method || !target) return { violation: 'request line' }
  const headers: [string, string][] = []
  for (const line of lines) {
    const [, name, value] = headerLine.exec(line) ?? []
    if (name === undefined || value === undefined) return { violation: 'header line' }
    headers.push([name.toLowerCase(), value.trim()])
  }
  const valuesOf = (name: string) => headers.filter(([given]) => given === name).map(([, value]) => value)
  if (valuesOf('transfer-encoding').length > 0) return { violation: 'transfer-encoding' }
  if (valuesOf('host').length !== 1) return { violation: 'host' }
  const lengths = valuesOf('content-length')
  if (lengths.length > 1) return { violation: 'content-length twice' }
  const [length = '0'] = lengths
  if (!/^(0|[1-9]\d*)$/.test(length)) return { violation: 'content-length' }
  const start = end + 4
  const stop = start + Number(length)
  if (bytes.length < stop) return undefined
  return { length: stop, request: { method, target, headers, body: bytes.subarray(start, stop) } }
}

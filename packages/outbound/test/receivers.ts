import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const closers: (() => Promise<unknown>)[] = []

/** Closes the servers that `listen` opened; call it after each test. */
export async function closeReceivers(): Promise<void> {
  while (closers.length > 0) await closers.pop()!()
}

export async function listen(
  server: Server,
  host = '127.0.0.1',
  port = 0,
): Promise<{ port: number; url: string }> {
  const sockets = new Set<Socket>()
  server.on('connection', (socket) => sockets.add(socket))
  await new Promise<void>((ready) => server.listen(port, host, ready))
  closers.push(() => {
    for (const socket of sockets) socket.destroy()
    return new Promise((done) => server.close(done))
  })
  const { port: actual } = server.address() as AddressInfo
  return { port: actual, url: `http://${host}:${actual}/hook` }
}

/** A TCP receiver: `answer` is called when the first bytes of a request have arrived. */
export async function receiver(answer: (socket: Socket) => void, host = '127.0.0.1', port = 0) {
  let connections = 0
  const server = createServer((socket) => {
    connections++
    socket.on('error', () => {})
    socket.once('data', () => answer(socket))
  })
  return { ...(await listen(server, host, port)), connections: () => connections }
}

/** Sends exactly these bytes and closes the connection. */
export const respond = (text: string) => (socket: Socket) => void socket.end(text)

export function hasOpenssl(): boolean {
  try {
    execFileSync('openssl', ['version'], { stdio: 'pipe' })
    return true
  } catch {
    return false
  }
}

/** A self-signed certificate for `name`; `validity` in openssl's format for times (YYYYMMDDHHMMSSZ). */
export function certificate(
  name: string,
  validity: { from: string; to: string },
): { key: string; cert: string } {
  const folder = mkdtempSync(join(tmpdir(), 'outbound-tls-'))
  const path = (file: string) => join(folder, file)
  try {
    writeFileSync(path('index'), '')
    writeFileSync(path('serial'), '01')
    writeFileSync(
      path('ca.cnf'),
      `[ca]\ndefault_ca=self\n[self]\ndatabase=${path('index')}\nserial=${path('serial')}\n` +
        `new_certs_dir=${folder}\ndefault_md=sha256\npolicy=any\nx509_extensions=ext\n` +
        `[any]\ncommonName=supplied\n[ext]\nsubjectAltName=DNS:${name}\n`,
    )
    const run = (...args: string[]) => execFileSync('openssl', args, { stdio: 'pipe' })
    const newKey = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-keyout', path('key')]
    run('req', '-new', ...newKey, '-subj', `/CN=${name}`, '-out', path('csr'))
    const times = ['-startdate', validity.from, '-enddate', validity.to]
    const signed = ['-selfsign', '-keyfile', path('key'), '-in', path('csr'), '-out', path('cert'), '-notext']
    run('ca', '-batch', '-config', path('ca.cnf'), ...signed, ...times)
    return { key: readFileSync(path('key'), 'utf8'), cert: readFileSync(path('cert'), 'utf8') }
  } finally {
    rmSync(folder, { recursive: true })
  }
}

import { connect, type Socket } from 'node:net'

export const slowSockets = 500

/**
 * Clients of one address that announce bodies and send a byte a second: sign-ins, uploads to links, checks. A client
 * whose connection the server closes reconnects at once.
 */
export async function holdSlowSockets(
  url: string,
  key: string,
): Promise<{ open: () => number; close: () => void }> {
  const { port } = new URL(url)
  const sockets = new Set<Socket>()
  let closed = false
  const head = (path: string, length: number) =>
    `POST ${path} HTTP/1.1\r\nhost: a\r\nx-api-key: ${key}\r\ncontent-type: application/json\r\ncontent-length: ${length}\r\n\r\n`
  const hold = (index: number): Promise<void> =>
    new Promise((resolve) => {
      const socket = connect({ port: Number(port), host: '127.0.0.1', localAddress: '127.0.0.2' })
      sockets.add(socket)
      const heads = [
        head('/console/api/login', 1_000),
        head(`/flow/slow-${index}/document`, 5_000_000),
        head('/v1/checks/pan', 1_000),
      ]
      socket.on('error', () => undefined)
      socket.resume()
      socket.once('connect', () => {
        socket.write(heads[index % heads.length] ?? '')
        resolve()
      })
      socket.once('close', () => {
        sockets.delete(socket)
        resolve()
        if (!closed) void hold(index)
      })
    })
  await Promise.all(Array.from({ length: slowSockets }, (_, index) => hold(index)))
  const drip = setInterval(() => {
    for (const socket of sockets) socket.write('x')
  }, 1_000)
  return {
    open: () => sockets.size,
    close: () => {
      closed = true
      clearInterval(drip)
      for (const socket of sockets) socket.destroy()
    },
  }
}

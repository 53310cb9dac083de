import { connect, createServer, type Server, type Socket } from 'node:net'

/** A TCP proxy that simulates network faults on demand; the processes behind it are unaware of it. */
export type Proxy = {
  port: number
  /** Target of new connections. */
  target(port: number): void
  /** Resets every connection, in the middle of its data. */
  cut(): void
  close(): Promise<void>
}

export async function startProxy(targetPort: number): Promise<Proxy> {
  let current = targetPort
  const sockets = new Set<Socket>()
  const keep = (socket: Socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    socket.setNoDelay(true)
  }
  const server: Server = createServer((near) => {
    const far = connect(current, '127.0.0.1')
    keep(near)
    keep(far)
    const end = () => {
      near.destroy()
      far.destroy()
    }
    for (const socket of [near, far]) {
      socket.on('error', end)
      socket.on('close', end)
    }
    near.pipe(far).pipe(near)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the proxy has no port')
  const cut = () => {
    for (const socket of sockets) socket.resetAndDestroy()
  }
  return {
    port: address.port,
    target: (port) => {
      current = port
    },
    cut,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        cut()
      }),
  }
}

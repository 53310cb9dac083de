import { connect, createServer, type Socket } from 'node:net'
import { freePort } from '@kyc/runtime'

/** An unreliable network between browser and server: TCP connections through it break in the middle of the data. */
export type FlakyProxy = {
  url: string
  /** Resets the next `times` connections that have carried `bytes` towards the server. */
  breakAfter(bytes: number, times: number): void
  /** Number of connections that were reset. */
  broken(): number
  close(): Promise<void>
}

export async function startFlakyProxy(target: string): Promise<FlakyProxy> {
  const { hostname, port: targetPort } = new URL(target)
  const sockets = new Set<Socket>()
  let plan = { bytes: 0, times: 0 }
  let broken = 0
  const server = createServer((client) => {
    const upstream = connect(Number(targetPort), hostname)
    let sent = 0
    for (const socket of [client, upstream]) {
      sockets.add(socket)
      // A reset at either end ends both, as intended.
      socket.on('error', () => {})
      socket.on('close', () => {
        sockets.delete(socket)
        client.destroy()
        upstream.destroy()
      })
    }
    client.on('data', (chunk) => {
      sent += chunk.length
      if (plan.times === 0 || sent < plan.bytes) return
      plan.times -= 1
      broken += 1
      client.resetAndDestroy()
    })
    client.pipe(upstream)
    upstream.pipe(client)
  })
  const port = await freePort()
  await new Promise<void>((resume) => server.listen(port, '127.0.0.1', resume))
  return {
    url: `http://127.0.0.1:${port}`,
    breakAfter: (bytes, times) => {
      plan = { bytes, times }
    },
    broken: () => broken,
    close: () => {
      for (const socket of sockets) socket.destroy()
      return new Promise((resume) => server.close(() => resume()))
    },
  }
}

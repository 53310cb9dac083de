import { connect, createServer, type Socket } from 'node:net'
import { freePort } from '@kyc/runtime'

/** A bad network between browser and server: TCP connections through it break in the middle of what is sent. */
export type FlakyProxy = {
  url: string
  /** The next `times` connections that carry `bytes` towards the server are reset there. */
  breakAfter(bytes: number, times: number): void
  /** How many were. */
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
      // A reset at either end ends both; that is what this is for.
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

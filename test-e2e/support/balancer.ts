import type { AddressInfo } from 'node:net'
import { connect, createServer, type Socket } from 'node:net'

export type Balancer = {
  url: string
  /** New connections may go to this port from now on. */
  add(port: number): void
  /** Stops new connections to this port; open ones stay. */
  remove(port: number): void
  close(): void
}

/**
 * Like the load balancer in front of a service's replicas in a cluster: each connection goes to one of them, in
 * turn.
 */
export async function startBalancer(port = 0): Promise<Balancer> {
  const ports: number[] = []
  const sockets = new Set<Socket>()
  let turn = 0
  const server = createServer({ noDelay: true }, (client) => {
    const target = ports[turn++ % ports.length]
    if (target === undefined) {
      client.destroy()
      return
    }
    const replica = connect({ port: target, host: '127.0.0.1', noDelay: true })
    for (const [one, other] of [
      [client, replica],
      [replica, client],
    ] as const) {
      sockets.add(one)
      one.pipe(other)
      one.on('error', () => other.destroy())
      one.on('close', () => {
        sockets.delete(one)
        other.destroy()
      })
    }
  })
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    add: (added) => void ports.push(added),
    remove: (removed) => void ports.splice(ports.indexOf(removed), 1),
    close: () => {
      server.close()
      for (const socket of sockets) socket.destroy()
    },
  }
}

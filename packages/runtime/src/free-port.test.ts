import { once } from 'node:events'
import { createServer, type Server } from 'node:net'
import { expect, test } from '@jest/globals'
import { freePort } from './free-port.ts'

test('concurrently requested ports differ, can be listened on, and are outside the range that the system assigns', async () => {
  const ports = await Promise.all(Array.from({ length: 40 }, freePort))
  expect(new Set(ports).size).toBeGreaterThan(35)
  const servers: Server[] = []
  try {
    for (const port of new Set(ports)) {
      expect(port).toBeGreaterThanOrEqual(10_240)
      expect(port).toBeLessThan(32_768)
      const server = createServer().listen(port, '127.0.0.1')
      servers.push(server)
      await once(server, 'listening')
    }
  } finally {
    for (const server of servers) server.close()
  }
})

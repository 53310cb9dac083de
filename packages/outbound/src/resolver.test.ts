import { createSocket } from 'node:dgram'
import { afterEach, describe, expect, test } from '@jest/globals'
import ipaddr from 'ipaddr.js'
import { createDnsResolver, machineResolver } from './resolver.ts'

const closers: (() => void)[] = []
afterEach(() => {
  for (const close of closers.splice(0)) close()
})

const typeA = 1
const typeAaaa = 28

/**
 * A name server: `answer` returns the addresses for a query type, an error code (RFC 1035 4.1.1), or undefined for no
 * response.
 */
async function nameServer(answer: (type: number) => string[] | number | undefined) {
  const socket = createSocket('udp4')
  const asked: number[] = []
  socket.on('message', (query, from) => {
    const questionEnd = query.indexOf(0, 12) + 5
    const type = query.readUInt16BE(questionEnd - 4)
    asked.push(type)
    const given = answer(type)
    if (given === undefined) return
    const records = (Array.isArray(given) ? given : []).map((address) => {
      const data = Buffer.from(ipaddr.parse(address).toByteArray())
      const head = Buffer.from([0xc0, 12, 0, type, 0, 1, 0, 0, 0, 60, 0, data.length])
      return Buffer.concat([head, data])
    })
    const header = Buffer.from(query.subarray(0, 12))
    header.writeUInt16BE(0x8180 | (typeof given === 'number' ? given : 0), 2)
    header.writeUInt16BE(records.length, 6)
    header.writeUInt32BE(0, 8)
    socket.send(Buffer.concat([header, query.subarray(12, questionEnd), ...records]), from.port, from.address)
  })
  await new Promise<void>((ready) => socket.bind(0, '127.0.0.1', ready))
  closers.push(() => socket.close())
  return { resolver: createDnsResolver([`127.0.0.1:${socket.address().port}`]), asked }
}
const never = new AbortController().signal

describe('the DNS resolver', () => {
  test('returns both families, IPv4 first', async () => {
    const { resolver } = await nameServer((type) =>
      type === typeA ? ['8.8.4.4', '1.0.0.1'] : ['2606:4700::1'],
    )
    expect(await resolver('hooks.example.com', never)).toEqual(['8.8.4.4', '1.0.0.1', '2606:4700::1'])
  })
  test('returns one family when the other has no records', async () => {
    const { resolver } = await nameServer((type) => (type === typeAaaa ? ['2606:4700::1'] : []))
    expect(await resolver('hooks.example.com', never)).toEqual(['2606:4700::1'])
  })
  test('fails for a name that does not exist', async () => {
    const { resolver } = await nameServer(() => 3)
    await expect(resolver('gone.example.com', never)).rejects.toMatchObject({ code: 'ENOTFOUND' })
  })
  test('uses no search domain and no hosts file', async () => {
    const { resolver, asked } = await nameServer(() => 3)
    await expect(resolver('localhost', never)).rejects.toMatchObject({ code: 'ENOTFOUND' })
    expect(asked).toHaveLength(2)
  })
  test('stops immediately when it is cancelled', async () => {
    const { resolver } = await nameServer(() => undefined)
    const controller = new AbortController()
    const answer = resolver('slow.example.com', controller.signal)
    controller.abort()
    await expect(answer).rejects.toMatchObject({ code: 'ECANCELLED' })
  })
})

test('the resolver of the machine resolves localhost', async () => {
  expect(await machineResolver('localhost', never)).toContain('127.0.0.1')
})

import { Worker } from 'node:worker_threads'
import { afterEach, describe, expect, test } from '@jest/globals'
import type { ReadingModels } from './engine.ts'
import { ReadingPool, type ReadingPoolOptions } from './reading-pool.ts'

/**
 * Real threads that act by the first byte of a photo: crash, exit, hang, or respond with their own number. The first
 * `harmful` threads do so; later ones respond to any photo.
 */
const script = `
const { parentPort, threadId, workerData } = require('node:worker_threads')
if (workerData.stillborn) throw new Error('no models')
parentPort.on('message', ({ id, image }) => {
  const act = workerData.harmless ? 'answer' : ['answer', 'throw', 'exit', 'hang'][image[0]]
  if (act === 'throw') throw new Error('the native part gave up')
  if (act === 'exit') process.exit(3)
  if (act === 'answer') parentPort.postMessage({ id, reading: { thread: threadId } })
})
parentPort.postMessage('ready')`
const [answers, throws, exits, hangs] = [0, 1, 2, 3].map((byte) => new Uint8Array([byte])) as [
  Uint8Array,
  Uint8Array,
  Uint8Array,
  Uint8Array,
]
const today = new Date('2026-03-01T00:00:00Z')
const unavailable = { name: 'PublicError', retryAfterSeconds: 1 }

describe('a pool of reading threads', () => {
  let pool: ReadingPool
  let started = 0
  afterEach(() => pool.close())

  async function open(
    options: Partial<ReadingPoolOptions> & { harmful?: number; stillborn?: (nth: number) => boolean } = {},
  ) {
    started = 0
    const { harmful = Number.POSITIVE_INFINITY, stillborn = () => false, ...rest } = options
    pool = await ReadingPool.open({
      models: {} as ReadingModels,
      threads: 1,
      restartAfterMs: 20,
      start: () => {
        started++
        const workerData = { harmless: started > harmful, stillborn: stillborn(started) }
        return new Worker(script, { eval: true, workerData, stderr: true })
      },
      ...rest,
    })
  }

  test.each([
    ['throws', throws],
    ['ends', exits],
  ])('retries the photo of a thread that %s on another thread, once', async (_, photo) => {
    await open({ harmful: 1 })
    expect(await pool.read(photo, today)).toMatchObject({ thread: expect.any(Number) })
    expect(started).toBe(2)
  })

  test.each([
    ['throws', throws],
    ['ends', exits],
  ])('fails a photo on which a second thread %s, and continues to read others', async (_, photo) => {
    await open()
    const others = [answers, answers, answers]
    const [bad, ...good] = await Promise.allSettled([photo, ...others].map((each) => pool.read(each, today)))
    expect(bad).toMatchObject({ status: 'rejected', reason: unavailable })
    for (const result of good) expect(result.status).toBe('fulfilled')
    expect(started).toBe(3)
  })

  test('fails a photo that hangs, replaces its thread, and does not retry the photo', async () => {
    await open({ timeoutMs: 200 })
    await expect(pool.read(hangs, today)).rejects.toMatchObject(unavailable)
    expect(await pool.read(answers, today)).toBeDefined()
    expect(started).toBe(2)
  })

  test('rejects immediately while no thread can be started, and reads again when one can', async () => {
    await open({ stillborn: (nth) => nth > 1 && nth < 4 })
    await expect(pool.read(throws, today)).rejects.toMatchObject({ retryAfterSeconds: 5 })
    const deadline = Date.now() + 20_000
    let read: unknown
    while (read === undefined && Date.now() < deadline) {
      read = await pool.read(answers, today).catch(() => undefined)
      await new Promise((resume) => setImmediate(resume))
    }
    expect(read).toMatchObject({ thread: expect.any(Number) })
    expect(started).toBe(4)
  })

  test('starts nothing after it is closed, even with pending restarts', async () => {
    const restartAfterMs = 100
    await open({ threads: 2, restartAfterMs, stillborn: (nth) => nth > 2 })
    const reads = [throws, throws].map((photo) => pool.read(photo, today))
    // Rejected when the last reader could not be replaced; each reader has its own restart scheduled.
    for (const read of await Promise.allSettled(reads)) expect(read.status).toBe('rejected')
    await pool.close()
    const before = started
    await new Promise((resume) => setTimeout(resume, 3 * restartAfterMs))
    expect(started).toBe(before)
  })
})

import { createRequire } from 'node:module'
import { availableParallelism } from 'node:os'
import { pathToFileURL } from 'node:url'
import { Worker } from 'node:worker_threads'
import { UnavailableError, unprocessable } from '@kyc/common'
import type { ScannedSide } from '../domain/document/side-reading.ts'
import type { ReadingModels } from './engine.ts'

export interface ReadingTask {
  readonly id: number
  readonly image: Uint8Array
  /** Milliseconds since 1970. */
  readonly today: number
}

export type ReadingAnswer =
  | { readonly id: number; readonly reading: ScannedSide }
  /** The image is invalid; the text is meant for the caller. */
  | { readonly id: number; readonly refused: string }
  | { readonly id: number; readonly failed: string }

export interface ReadingPoolOptions {
  readonly models: ReadingModels
  /** Threads, each with the models in memory (about 250 MB). Default: half of the cores, at least one. */
  readonly threads?: number
  /** Photos that may wait; further ones are rejected with `UnavailableError`. */
  readonly maxQueue?: number
  /** A photo that takes longer fails, and its thread is replaced. */
  readonly timeoutMs?: number
  /** Delay before another attempt to start a thread that failed to start. */
  readonly restartAfterMs?: number
  /** Starts a thread that reports when it is ready, and responds to tasks. */
  readonly start?: (models: ReadingModels) => Worker
}

interface Job {
  readonly task: ReadingTask
  readonly resolve: (reading: ScannedSide) => void
  readonly reject: (error: unknown) => void
  /** Number of threads that ended while reading this photo. */
  crashes: number
}

interface Reader {
  readonly worker: Worker
  job: Job | null
  timer: NodeJS.Timeout | undefined
}

const DEFAULTS = { maxQueue: 16, timeoutMs: 25_000, restartAfterMs: 5_000, start: startWorker }
/** A photo on which a second thread ends is considered the cause. */
const mostCrashes = 2

/**
 * Reads documents in worker threads, so that the event loop stays free. The numbers of running and waiting photos are
 * bounded, and further photos are rejected. A reader that hangs fails only its own photo; the photo of a reader that
 * crashes is retried once on another reader.
 */
export class ReadingPool {
  readonly #options: Required<Omit<ReadingPoolOptions, 'models'>> & { models: ReadingModels }
  readonly #readers = new Set<Reader>()
  readonly #queue: Job[] = []
  #nextId = 1
  #closed = false
  #starting = 0
  /** One timer for each reader that did not start. */
  readonly #restarts = new Set<NodeJS.Timeout>()

  private constructor(options: ReadingPoolOptions) {
    this.#options = {
      ...DEFAULTS,
      threads: Math.max(1, Math.floor(availableParallelism() / 2)),
      ...options,
    }
  }

  /** Resolves when every thread has its models loaded and warmed up. */
  static async open(options: ReadingPoolOptions): Promise<ReadingPool> {
    const pool = new ReadingPool(options)
    try {
      await Promise.all(Array.from({ length: pool.#options.threads }, () => pool.#startReader()))
    } catch (error) {
      await pool.close()
      throw error
    }
    return pool
  }

  get waiting(): number {
    return this.#queue.length
  }

  /**
   * Reads one photo (JPEG, PNG or WebP). Rejects with `unprocessable` for any other data, and with `UnavailableError`
   * when too many photos wait or a reader fails.
   */
  read(image: Uint8Array, today: Date): Promise<ScannedSide> {
    if (this.#closed) return Promise.reject(new UnavailableError('The document reader is stopping.'))
    if (this.#queue.length >= this.#options.maxQueue) {
      return Promise.reject(new UnavailableError('The document reader is busy.', 2))
    }
    if (this.#readers.size === 0 && this.#starting === 0) {
      return Promise.reject(new UnavailableError('The document reader is away.', 5))
    }
    return new Promise((resolve, reject) => {
      const task: ReadingTask = { id: this.#nextId++, image, today: today.getTime() }
      this.#queue.push({ task, resolve, reject, crashes: 0 })
      this.#dispatch()
    })
  }

  /** Ends the threads; waiting and running photos are rejected. */
  async close(): Promise<void> {
    this.#closed = true
    for (const timer of this.#restarts) clearTimeout(timer)
    const stopping = new UnavailableError('The document reader is stopping.')
    for (const job of this.#queue.splice(0)) job.reject(stopping)
    const readers = [...this.#readers]
    this.#readers.clear()
    for (const reader of readers) {
      clearTimeout(reader.timer)
      reader.job?.reject(stopping)
    }
    await Promise.all(readers.map(({ worker }) => worker.terminate()))
  }

  #dispatch(): void {
    for (const reader of this.#readers) {
      if (reader.job) continue
      const job = this.#queue.shift()
      if (!job) return
      reader.job = job
      reader.timer = setTimeout(
        () => this.#replace(reader, new Error('reading took too long'), 'hung'),
        this.#options.timeoutMs,
      )
      reader.worker.postMessage(job.task)
    }
  }

  #startReader(): Promise<void> {
    const worker = this.#options.start(this.#options.models)
    const reader: Reader = { worker, job: null, timer: undefined }
    this.#starting++
    const started = new Promise<void>((resolve, reject) => {
      const failedToStart = (error: unknown) =>
        reject(error instanceof Error ? error : new Error(String(error)))
      const endedBeforeReady = () => reject(new Error('the reader ended'))
      worker.once('error', failedToStart)
      worker.once('exit', endedBeforeReady)
      worker.once('message', () => {
        worker.off('error', failedToStart)
        worker.off('exit', endedBeforeReady)
        worker.on('message', (answer: ReadingAnswer) => this.#answer(reader, answer))
        worker.on('error', (error) => this.#replace(reader, error, 'crashed'))
        worker.on('exit', () => this.#replace(reader, new Error('the reader ended'), 'crashed'))
        if (this.#closed) void worker.terminate()
        else this.#readers.add(reader)
        this.#dispatch()
        resolve()
      })
    })
    return started.finally(() => {
      this.#starting--
    })
  }

  #answer(reader: Reader, answer: ReadingAnswer): void {
    const { job } = reader
    if (!job || job.task.id !== answer.id) return
    clearTimeout(reader.timer)
    reader.job = null
    if ('reading' in answer) job.resolve(answer.reading)
    else if ('refused' in answer) job.reject(unprocessable(answer.refused))
    else job.reject(new Error(answer.failed))
    this.#dispatch()
  }

  #replace(reader: Reader, cause: unknown, how: 'hung' | 'crashed'): void {
    if (!this.#readers.delete(reader)) return
    clearTimeout(reader.timer)
    const { job } = reader
    void reader.worker.terminate()
    if (job && how === 'crashed' && ++job.crashes < mostCrashes) {
      this.#queue.unshift(job)
      this.#dispatch()
    } else job?.reject(new UnavailableError('The document could not be read now.', 1, cause))
    this.#startAnother()
  }

  /** Replaces a reader that ended; retries until one starts. */
  #startAnother(): void {
    this.#startReader().catch((cause: unknown) => {
      if (this.#closed) return
      const timer = setTimeout(() => {
        this.#restarts.delete(timer)
        this.#startAnother()
      }, this.#options.restartAfterMs)
      this.#restarts.add(timer)
      // No reader is left, so reject waiting photos instead of holding them indefinitely.
      if (this.#readers.size > 0 || this.#starting > 0) return
      for (const job of this.#queue.splice(0))
        job.reject(new UnavailableError('The document reader is away.', 5, cause))
    })
  }
}

/** A compiled file has a compiled worker next to it; the source has a source worker, for which a thread needs tsx. */
function startWorker(models: ReadingModels): Worker {
  if (!import.meta.url.endsWith('.ts')) {
    return new Worker(new URL('./reading-worker.js', import.meta.url), { workerData: models })
  }
  // The package's CommonJS build cannot register a loader, and only `require` resolves under every test runner.
  const api = createRequire(import.meta.url)
    .resolve('tsx/esm/api')
    .replace(/\.cjs$/, '.mjs')
  const loader = pathToFileURL(api).href
  const entry = new URL('./reading-worker.ts', import.meta.url).href
  const start = `import(${JSON.stringify(loader)}).then(({ register }) => { register(); return import(${JSON.stringify(entry)}) })`
  return new Worker(start, { eval: true, workerData: models, execArgv: ['--conditions=source'] })
}

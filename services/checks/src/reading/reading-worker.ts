import { parentPort, workerData } from 'node:worker_threads'
import { PublicError } from '@kyc/common'
import { ReadingEngine, type ReadingModels } from './engine.ts'
import { readDocument } from './read-document.ts'
import type { ReadingAnswer, ReadingTask } from './reading-pool.ts'
import { warmUp } from './warm-up.ts'

/** One reader in its own thread: models are loaded once, and one photo is read at a time. */
const port = parentPort
if (!port) throw new Error('reading-worker runs in a worker thread')
const engine = await ReadingEngine.open(workerData as ReadingModels)
await warmUp(engine)

port.on('message', (task: ReadingTask) => {
  readDocument(engine, task.image, { today: new Date(task.today) })
    .then((reading): ReadingAnswer => ({ id: task.id, reading }))
    .catch((error: unknown): ReadingAnswer => {
      if (error instanceof PublicError) return { id: task.id, refused: error.message }
      return { id: task.id, failed: error instanceof Error ? (error.stack ?? error.message) : String(error) }
    })
    .then((answer) => port.postMessage(answer))
})
port.postMessage({ ready: true })

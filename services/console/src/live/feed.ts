import type { Job } from '@kyc/host'
import type { Database, Logger } from '@kyc/runtime'
import { liveChannel, liveEventRange, readLiveEvents, type StoredLiveEvent } from '../store/live-events.ts'

type Listener = { app_id: string; tell(event: StoredLiveEvent): void }

const batch = 500
/** Poll as well, because a notification is lost if the listening connection drops. */
const lookAnywayMs = 5_000

/** Reads new events once per replica, however many pages are open, and passes them to the pages of their app. */
export class LiveFeed {
  private readonly listeners = new Set<Listener>()
  private readonly database: Database
  private readonly logger: Logger
  private last = 0
  private reading: Promise<void> | undefined
  private again = false

  constructor(database: Database, logger: Logger) {
    this.database = database
    this.logger = logger
  }

  /** Calls the listener for every event stored from now on. The returned function unsubscribes. */
  listen(listener: Listener): () => void {
    this.listeners.add(listener)
    return () => this.listeners.delete(listener)
  }

  job(): Job {
    let unlisten: (() => Promise<void>) | undefined
    let timer: NodeJS.Timeout | undefined
    return {
      name: 'live updates',
      start: async () => {
        this.last = (await liveEventRange(this.database)).last
        unlisten = await this.database.listen(liveChannel, () => this.look())
        timer = setInterval(() => this.look(), lookAnywayMs)
      },
      stop: async () => {
        clearInterval(timer)
        await unlisten?.()
        await this.reading
      },
    }
  }

  /** Runs one read at a time; a call during a read triggers another one afterwards. */
  private look(): void {
    if (this.reading) {
      this.again = true
      return
    }
    this.reading = this.read()
      .catch((error: unknown) => this.logger.warn('live updates could not be read', { error }))
      .finally(() => {
        this.reading = undefined
        if (!this.again) return
        this.again = false
        this.look()
      })
  }

  private async read(): Promise<void> {
    for (;;) {
      const events = await readLiveEvents(this.database, this.last, batch)
      for (const event of events) {
        this.last = event.id
        for (const listener of this.listeners) if (listener.app_id === event.app_id) listener.tell(event)
      }
      if (events.length < batch) return
    }
  }
}

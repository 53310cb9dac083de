import type { ServerResponse } from 'node:http'
import type { StoredLiveEvent } from '../store/live-events.ts'

/** Unread bytes after which a client is dropped; it can reconnect with `Last-Event-ID`. */
const mostUnreadBytes = 64 * 1024

/** One open page. Sends server-sent events (HTML, section 9.2) in order, each once. */
export class LiveStream {
  private readonly response: ServerResponse
  private seen: number
  /** Events held back while the missed ones are still being read. */
  private waiting: StoredLiveEvent[] | null = []

  constructor(response: ServerResponse, seen: number) {
    this.response = response
    this.seen = seen
    response.writeHead(200, {
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store',
      // Prevents proxies from buffering the events.
      'x-accel-buffering': 'no',
    })
    this.write(': open\nretry: 2000\n\n')
  }

  tell(event: StoredLiveEvent): void {
    if (this.waiting) this.waiting.push(event)
    else this.send(event)
  }

  /** Sends the events that the page missed, then those that arrived meanwhile. */
  resume(missed: readonly StoredLiveEvent[]): void {
    const held = this.waiting ?? []
    this.waiting = null
    for (const event of [...missed, ...held]) this.send(event)
  }

  /** The page missed more than is retained and must read everything again. */
  reset(at: number): void {
    this.seen = at
    this.write(`id: ${at}\nevent: reset\ndata: {}\n\n`)
  }

  /** Keeps proxies from closing an idle connection. */
  beat(): void {
    this.write(': still here\n\n')
  }

  private send(event: StoredLiveEvent): void {
    if (event.id <= this.seen) return
    this.seen = event.id
    const { id, payload } = event
    this.write(`id: ${id}\nevent: ${payload.type}\ndata: ${JSON.stringify(payload)}\n\n`)
  }

  private write(text: string): void {
    if (this.response.destroyed) return
    this.response.write(text)
    if (this.response.writableLength > mostUnreadBytes) this.response.destroy()
  }
}

export type LiveMessage = {
  id: string
  event: string
  data: { session_id?: string; status?: string }
}

/** Reads a stream of server-sent events, as a browser's EventSource would. */
export async function openLive(url: string, cookie: string, lastEventId?: string) {
  const ended = new AbortController()
  const response = await fetch(url, {
    headers: { cookie, ...(lastEventId ? { 'last-event-id': lastEventId } : {}) },
    signal: ended.signal,
  })
  if (response.status !== 200 || !response.body) throw new Error(`the stream answered ${response.status}`)
  const messages: LiveMessage[] = []
  let wake = () => {}
  void read(response.body, (message) => {
    messages.push(message)
    wake()
  }).catch((error: unknown) => {
    if (!ended.signal.aborted) throw error
  })
  return {
    async until(fits: (message: LiveMessage) => boolean, deadlineMs = 30_000): Promise<LiveMessage> {
      const deadline = Date.now() + deadlineMs
      for (;;) {
        const found = messages.find(fits)
        if (found) return found
        if (Date.now() > deadline) throw new Error(`no such event among ${messages.length}`)
        await new Promise<void>((resolve) => {
          wake = resolve
          setTimeout(resolve, 500)
        })
      }
    },
    close: () => ended.abort(),
  }
}

async function read(body: ReadableStream<Uint8Array>, tell: (message: LiveMessage) => void): Promise<void> {
  let text = ''
  const decoder = new TextDecoder()
  for await (const chunk of body as unknown as AsyncIterable<Uint8Array>) {
    text += decoder.decode(chunk, { stream: true })
    const blocks = text.split('\n\n')
    text = blocks.pop() ?? ''
    for (const block of blocks) {
      const fields = Object.fromEntries(
        block
          .split('\n')
          .filter((line) => !line.startsWith(':'))
          .map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)]),
      )
      if (fields.event)
        tell({ id: fields.id ?? '', event: fields.event, data: JSON.parse(fields.data ?? '{}') })
    }
  }
}

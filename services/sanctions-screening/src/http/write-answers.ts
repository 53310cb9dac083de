import { once } from 'node:events'
import { amlAnswer } from '@kyc/common'
import type { Response } from 'express'
import type { BatchAnswer } from '../operations/screen-names.ts'

/** Streams answers as newline-delimited JSON. Waits for a slow client, and stops when the client disconnects. */
export async function writeAnswers(response: Response, answers: AsyncIterable<BatchAnswer>): Promise<void> {
  response.status(200).setHeader('content-type', 'application/x-ndjson')
  for await (const { id, answer } of answers) {
    if (response.destroyed) return
    const line = `${JSON.stringify({ id, ...amlAnswer.parse(answer) })}\n`
    if (!response.write(line)) await drained(response)
  }
}

async function drained(response: Response): Promise<void> {
  const settled = new AbortController()
  try {
    await Promise.race([
      once(response, 'drain', { signal: settled.signal }),
      once(response, 'close', { signal: settled.signal }),
    ])
  } finally {
    settled.abort()
  }
}

import { once } from 'node:events'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { type AmlQuery, amlAnswer } from '@kyc/common'
import type { Response } from 'express'
import type { ActiveLists, ListSnapshot } from '../serving/serving-lists.ts'
import { answerFor } from './screen-name.ts'

/** Names between two turns of the event loop: other requests are answered in between. */
const namesPerTurn = 8

/**
 * Answers a batch as newline-delimited JSON, in the order of the names, all from one state of the lists. A caller who
 * reads slowly is waited for; one who has left ends the work.
 */
export async function writeAnswers(
  response: Response,
  {
    serving,
    lists,
    at: screenedAt,
    names,
  }: { serving: ListSnapshot; lists: ActiveLists; at: Date; names: readonly (AmlQuery & { id: string })[] },
): Promise<void> {
  response.status(200).setHeader('content-type', 'application/x-ndjson')
  for (const [i, { id, ...query }] of names.entries()) {
    if (response.destroyed) return
    const answer = amlAnswer.parse(answerFor(serving, lists, screenedAt, query))
    if (!response.write(`${JSON.stringify({ id, ...answer })}\n`)) await drained(response)
    if (i % namesPerTurn === namesPerTurn - 1) await nextTurn()
  }
}

async function drained(response: Response): Promise<void> {
  const left = new AbortController()
  try {
    await Promise.race([
      once(response, 'drain', { signal: left.signal }),
      once(response, 'close', { signal: left.signal }),
    ])
  } finally {
    left.abort()
  }
}

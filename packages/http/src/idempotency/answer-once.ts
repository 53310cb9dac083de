import { type Endpoint, PublicError } from '@kyc/common'
import type { Sql } from '@kyc/runtime'
import type { Request, Response } from 'express'
import { sendAnswer } from '../answer.ts'
import { errorBody, sendJson, statusOf } from '../errors.ts'
import type { FirstRequest, Replies } from './replies.ts'

/** What a handler receives about the Idempotency-Key of its request. */
export type KeyedRequest = {
  /** When the first request with this key started; time-dependent results are computed as of this time. */
  firstAt: Date
  /** Stores the response in the transaction of its effect; called after the handler if the handler does not call it. */
  keepReply(sql: Sql, result: unknown): Promise<void>
}

export const idempotencyHeader = 'idempotency-key'
const replayedHeader = 'idempotent-replayed'

type Call = {
  endpoint: Endpoint
  request: Request
  response: Response
  caller: { app_id: string; key_id: string }
  key: string
  /** The endpoint's path with parameter values filled in. */
  path: string
  digest: Buffer
  run(keyed: KeyedRequest): Promise<unknown>
}

/**
 * Handles a request with an Idempotency-Key. The first request runs, and its response is stored for 24 hours; the same
 * key and body get it again, with `idempotent-replayed: true`. A rejection is stored like a response unless it has a
 * retry-after; after an internal failure the key is free again.
 */
export async function answerOnce(replies: Replies, call: Call): Promise<void> {
  const { endpoint, request, response } = call
  const begun = await replies.begin(call.caller, call.path, call.key, call.digest)
  if (!begun.again) {
    sendAnswer(endpoint, request, response, await runFirst(replies, begun, call))
    return
  }
  if (endpoint.idempotent === 'stored') {
    const { status, body } = await replies.open(begun)
    response.setHeader(replayedHeader, 'true')
    sendJson(response, status, body)
    return
  }
  response.setHeader(replayedHeader, 'true')
  const keyed = { firstAt: begun.started_at, keepReply: async () => {} }
  const outcome = await call.run(keyed).then(
    (result) => ({ status: endpoint.success.status, result }),
    (error: unknown) => ({ status: statusOf(error), error }),
  )
  // A different outcome than the first (for example because a model is available now) is not marked as a replay.
  if (outcome.status !== begun.row.status && !response.headersSent) response.removeHeader(replayedHeader)
  if ('error' in outcome) throw outcome.error
  sendAnswer(endpoint, request, response, outcome.result)
}

async function runFirst(replies: Replies, first: FirstRequest, call: Call): Promise<unknown> {
  const { endpoint } = call
  const isStored = endpoint.idempotent === 'stored'
  let kept = false
  const keepReply = async (sql: Sql, result: unknown) => {
    const { status, body } = endpoint.success
    // A recomputed result may be lines that the handler wrote itself, so there is nothing to parse.
    await replies.keep(sql, first, { status, body: isStored && body ? body.parse(result) : null })
    kept = true
  }
  try {
    const result = await call.run({ firstAt: first.started_at, keepReply })
    if (!kept) await keepReply(replies.database, result)
    return result
  } catch (error) {
    if (isLasting(error)) {
      const refusal = { status: statusOf(error), body: isStored ? errorBody(error) : null }
      await replies.keep(replies.database, first, refusal)
    } else {
      await replies.free(first)
    }
    throw error
  }
}

/** A rejection that the same request would receive again. */
const isLasting = (error: unknown): error is PublicError =>
  error instanceof PublicError && statusOf(error) < 500 && error.retryAfterSeconds === undefined

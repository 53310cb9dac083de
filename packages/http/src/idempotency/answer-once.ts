import { type Endpoint, PublicError } from '@kyc/common'
import type { Sql } from '@kyc/runtime'
import type { Request, Response } from 'express'
import { sendAnswer } from '../answer.ts'
import { errorBody, sendJson, statusOf } from '../errors.ts'
import type { FirstRequest, Replies } from './replies.ts'

/** What a handler is told of the Idempotency-Key that its request came with. */
export type KeyedRequest = {
  /** When the first request with this key began: what depends on the time is answered as of then. */
  firstAt: Date
  /** Keeps the answer in the transaction of its effect; done afterwards where a handler does not call it. */
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
  /** The endpoint's path with its parameters in place. */
  path: string
  digest: Buffer
  run(keyed: KeyedRequest): Promise<unknown>
}

/**
 * Answers a request under an Idempotency-Key. The first runs, and its answer is kept 24 hours; the same key and body
 * get it again, `idempotent-replayed: true`. A refusal is kept like an answer, unless it says when to come back; after
 * a failure of ours the key is free again.
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
  // Another outcome than the first (a model that is there by now) is no replay, and does not say so.
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
    // What is made again may be lines that the handler wrote itself: there is nothing to parse.
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

/** A refusal that the same request would meet again. */
const isLasting = (error: unknown): error is PublicError =>
  error instanceof PublicError && statusOf(error) < 500 && error.retryAfterSeconds === undefined

import { badRequest, type listReviewQueue as contract } from '@kyc/common'
import type { z } from 'zod'
import { findQueueFindings, listQueue, type QueuePosition } from '../store/review-queue.ts'
import { countByStatus } from '../store/session-search.ts'
import type { Operations } from './context.ts'
import { presentListItem } from './present-list-item.ts'

type Request = z.output<typeof contract.request>
type Answer = z.input<typeof contract.response>

/** Sessions in review, longest waiting first, with the queue's document and AML data still sealed. */
export async function listReviewQueue({ database }: Operations, request: Request): Promise<Answer> {
  const { app_id, filter, limit } = request
  const after = request.cursor === null ? null : readCursor(request.cursor)
  const [rows, waiting] = await Promise.all([
    listQueue(database, app_id, filter, { after, limit }),
    countByStatus(database, app_id, ['in_review']),
  ])
  const page = rows.slice(0, limit)
  const findings = await findQueueFindings(
    database,
    page.map((row) => row.session_id),
  )
  const last = page.at(-1)
  return {
    data: page.map((row) => ({
      ...presentListItem(row),
      sealed_checks: (findings.get(row.session_id)?.sealed ?? []).map((bytes) => bytes.toString('base64')),
      reviewed_matches: findings.get(row.session_id)?.reviewed_matches ?? [],
    })),
    next_cursor: rows.length > limit && last ? writeCursor({ at: last.in_review_key, seq: last.seq }) : null,
    waiting,
  }
}

const writeCursor = (position: QueuePosition): string =>
  Buffer.from(`${position.at}|${position.seq}`).toString('base64url')

function readCursor(cursor: string): QueuePosition {
  const [at = '', seq = ''] = Buffer.from(cursor, 'base64url').toString().split('|')
  if (!/^\d{4}-\d{2}-\d{2} [\d:.]+[+-][\d:]+$/.test(at) || !/^\d{1,19}$/.test(seq)) {
    throw badRequest('cursor: is not known')
  }
  return { at, seq }
}

import { badRequest, type searchSessions as contract } from '@kyc/common'
import type { z } from 'zod'
import { countByStatus, searchSessions as search } from '../store/session-search.ts'
import type { Operations } from './context.ts'
import { presentListItem } from './present-list-item.ts'

type Request = z.output<typeof contract.request>
type Answer = z.input<typeof contract.response>

/** One page of the sessions that match every filter, newest first. The cursor is the end of the previous page. */
export async function searchSessions(operations: Operations, request: Request): Promise<Answer> {
  const { app_id, filter, limit } = request
  if (request.cursor !== null && !/^\d{1,19}$/.test(request.cursor)) throw badRequest('cursor: is not known')
  const names = request.name_hashes.map((forms) => forms.map((hash) => Buffer.from(hash, 'hex')))
  const rows = await search(operations.database, app_id, filter, names, {
    beforeSeq: request.cursor,
    limit,
  })
  const page = rows.slice(0, limit)
  const more = rows.length > limit
  return {
    data: page.map(presentListItem),
    next_cursor: more ? (page.at(-1)?.seq ?? null) : null,
    total: await totalOf(operations, request, more ? null : page.length),
  }
}

async function totalOf(operations: Operations, request: Request, all: number | null): Promise<number | null> {
  const { statuses, ...others } = request.filter
  const byStatusAlone =
    Object.values(others).every((value) => value === null) && request.name_hashes.length === 0
  if (byStatusAlone) return countByStatus(operations.database, request.app_id, statuses)
  return request.cursor === null ? all : null
}

import { z } from 'zod'
import { pathId } from '../../domain/ids.ts'
import { defineContract } from '../define.ts'
import { allowed, appParams, appPath, consoleEndpoint } from './parts.ts'

const common = { ...consoleEndpoint, tag: 'Saved views' } as const
const code = z
  .string()
  .min(1)
  .max(200)
  .regex(/^[A-Za-z0-9_,-]+$/, 'must be codes or ids')

/**
 * Filters as they appear in the address of a page. Only filters that reveal nothing about a person: no name, no
 * reference, no session.
 */
export const savedFilters = z.strictObject({
  status: code.optional(),
  reason: code.optional(),
  warning: code.optional(),
  workflow: code.optional(),
  assignee: z.enum(['me', 'none']).optional(),
  /** Minutes. */
  waiting: z.int().min(1).max(999_999).optional(),
  from: z.iso.date().optional(),
  to: z.iso.date().optional(),
})
export type SavedFilters = z.infer<typeof savedFilters>

const viewName = z.string().trim().min(1).max(60)
export const savedView = z.object({
  id: z.string(),
  page: z.enum(['queue', 'sessions']),
  name: viewName,
  filters: savedFilters,
})
export type SavedView = z.infer<typeof savedView>

export const consoleViewEndpoints = defineContract({
  listSavedViews: {
    ...common,
    method: 'get',
    path: `${appPath}/views`,
    access: allowed('session.read'),
    summary: 'The filters that one has kept for oneself, by name',
    params: appParams,
    success: { status: 200, body: z.object({ data: z.array(savedView) }) },
    errors: ['not_found'],
  },
  saveView: {
    ...common,
    method: 'post',
    path: `${appPath}/views`,
    access: allowed('session.read'),
    summary: 'Keep filters under a name; the same name of the same page is written over',
    params: appParams,
    body: z.strictObject(savedView.omit({ id: true }).shape),
    success: { status: 201, body: savedView },
    errors: ['bad_request', 'not_found', 'conflict'],
  },
  removeView: {
    ...common,
    method: 'delete',
    path: `${appPath}/views/:view_id`,
    access: allowed('session.read'),
    summary: 'Forget a view',
    params: appParams.extend({ view_id: pathId }),
    success: { status: 204, body: null },
    errors: ['not_found'],
  },
})

import { z } from 'zod'
import { objectId, pathId, sessionId } from '../../domain/ids.ts'
import { timestamp } from '../../domain/timestamp.ts'
import { getListStatus, refreshLists } from '../../messages/check-requests.ts'
import { defineContract } from '../define.ts'
import { allowed, appParams, appPath, consoleEndpoint } from './parts.ts'

const blockListKind = z.enum(['face', 'document'])
const blockListEntry = z.object({ id: objectId, kind: blockListKind, created_at: timestamp })

const common = { ...consoleEndpoint, tag: 'Lists' } as const

export const consoleListEndpoints = defineContract({
  getSanctionsLists: {
    ...common,
    method: 'get',
    path: '/console/api/lists',
    access: allowed('list.read'),
    summary: 'The sanctions lists with version, age and state, and files that serve none',
    success: { status: 200, body: getListStatus.response },
    errors: [],
  },
  refreshSanctionsLists: {
    ...common,
    method: 'post',
    path: '/console/api/lists/refresh',
    access: allowed('list.refresh'),
    summary: 'Have the sources of the lists looked at now',
    success: { status: 200, body: refreshLists.response },
    errors: [],
  },
  listBlockList: {
    ...common,
    method: 'get',
    path: `${appPath}/block-list`,
    access: allowed('block_list.read'),
    summary: 'Faces and documents that the app refuses, newest first',
    params: appParams,
    success: { status: 200, body: z.object({ data: z.array(blockListEntry) }) },
    errors: ['not_found'],
  },
  addToBlockList: {
    ...common,
    method: 'post',
    path: `${appPath}/block-list`,
    access: allowed('block_list.write'),
    summary: "Refuse a session's face or document from now on, also after the session is purged",
    params: appParams,
    body: z.strictObject({ session_id: sessionId, kind: blockListKind }),
    success: { status: 201, body: blockListEntry },
    errors: ['bad_request', 'not_found'],
  },
  removeFromBlockList: {
    ...common,
    method: 'delete',
    path: `${appPath}/block-list/:kind/:entry_id`,
    access: allowed('block_list.write'),
    summary: 'Refuse a face or a document no longer',
    params: appParams.extend({ kind: blockListKind, entry_id: pathId }),
    success: { status: 204, body: null },
    errors: ['not_found'],
  },
})

import {
  consoleQueueEndpoints,
  consoleSessionEndpoints,
  type DecisionReason,
  purgeSessionByUser,
  type SessionFilter,
  takeNextInReview,
  toTimestamp,
} from '@kyc/common'
import { type ConsoleUserCaller, type MountOptions, mount } from '@kyc/http'
import type { Router } from 'express'
import { actorOf, type Operations } from '../operations/context.ts'
import { createSession } from '../operations/create-session.ts'
import { printReport, reportHeaders } from '../operations/print-report.ts'
import {
  addNote,
  askAgain,
  assign,
  type By,
  decide,
  judgeMatch,
  screenAgain,
} from '../operations/review-session.ts'
import { listQueue, searchSessions } from '../operations/search-sessions.ts'
import { showEvidence } from '../operations/show-evidence.ts'
import { showSession } from '../operations/show-session.ts'

const byOf = (caller: ConsoleUserCaller): By => ({ user_id: caller.user_id, ip: caller.address })

/** `me` stands for the caller. */
const assigneeOf = (given: string | undefined, caller: ConsoleUserCaller): string | null =>
  given === 'me' ? caller.user_id : (given ?? null)

/** Prevents scripts, framing and caching of pictures. This policy replaces the gateway's, so it must be complete. */
const pictureHeaders = {
  'content-type': 'image/jpeg',
  'content-disposition': 'inline; filename="evidence.jpg"',
  'content-security-policy': "default-src 'none'; base-uri 'none'; frame-ancestors 'none'; sandbox",
  'cross-origin-resource-policy': 'same-origin',
  'cache-control': 'no-store',
} as const

/** Sessions as reviewers work on them, and the review queue. */
export function mountSessions(router: Router, operations: Operations, options: MountOptions): void {
  mount(
    router,
    consoleSessionEndpoints,
    {
      searchConsoleSessions: ({ params, query }, { caller }) => {
        const filter: SessionFilter = {
          statuses: query.status ?? [],
          workflow_id: query.workflow_id ?? null,
          reason: query.reason ?? null,
          warning: query.warning ?? null,
          assignee: assigneeOf(query.assignee, caller),
          vendor_data: query.vendor_data ?? null,
          session_id: query.session_id ?? null,
          created_from: query.created_from ?? null,
          created_to: query.created_to ?? null,
        }
        const page = { cursor: query.cursor ?? null, limit: query.limit }
        return searchSessions(operations, params.app_id, filter, query.name ?? '', page)
      },
      createConsoleSession: ({ params, body }, { caller }) =>
        createSession(operations, params.app_id, byOf(caller), body),
      getConsoleSession: ({ params }, { caller }) => showSession(operations, actorOf(caller), params),
      getEvidence: async ({ params }, { caller, response }) => {
        const picture = await showEvidence(operations, actorOf(caller), params)
        response.status(200).set(pictureHeaders).end(picture)
      },
      getReport: async ({ params, query }, { caller, response }) => {
        const withEvidence = query.evidence === 'true'
        const page = await printReport(operations, actorOf(caller), params, withEvidence)
        response.status(200).set(reportHeaders).end(page)
      },
      assignSession: ({ params, body }, { caller }) => assign(operations, params, byOf(caller), body),
      addNote: ({ params, body }, { caller }) => addNote(operations, params, byOf(caller), body.text),
      decideConsoleSession: ({ params, body }, { caller }) => decide(operations, params, byOf(caller), body),
      askForAnotherTry: ({ params, body }, { caller }) => askAgain(operations, params, byOf(caller), body),
      reviewMatch: ({ params, body }, { caller }) => judgeMatch(operations, params, byOf(caller), body),
      rescreenSession: ({ params }, { caller }) => screenAgain(operations, params, byOf(caller)),
      purgeConsoleSession: async ({ params }, { caller }) => {
        await operations.bus.request(purgeSessionByUser, { ...params, by: byOf(caller) })
      },
    },
    options,
  )
  mountQueue(router, operations, options)
}

function mountQueue(router: Router, operations: Operations, options: MountOptions): void {
  mount(
    router,
    consoleQueueEndpoints,
    {
      listQueue: ({ params, query }, { caller }) => {
        const filter = {
          assignee: assigneeOf(query.assignee, caller),
          reason: query.reason ?? null,
          workflow_id: query.workflow_id ?? null,
          waiting_since_before: waitingSince(operations, query.waiting_over_minutes),
        }
        return listQueue(operations, params.app_id, filter, {
          cursor: query.cursor ?? null,
          limit: query.limit,
        })
      },
      takeNext: ({ params, body }, { caller }) => {
        const reason: DecisionReason | null = body.reason ?? null
        return operations.bus.request(takeNextInReview, {
          app_id: params.app_id,
          by: byOf(caller),
          reason,
          workflow_id: body.workflow_id ?? null,
        })
      },
    },
    options,
  )
}

const waitingSince = ({ clock }: Operations, minutes: number | undefined): string | null =>
  minutes === undefined ? null : toTimestamp(new Date(clock.now().getTime() - minutes * 60_000))

import { notFound, sessionEndpoints, testModeEndpoints, testScenarios } from '@kyc/common'
import type { ServiceDeps } from '@kyc/host'
import { type CallContext, type Handlers, mount, type Replies } from '@kyc/http'
import express, { type Router } from 'express'
import { advanceSession } from '../operations/advance-session.ts'
import type { Operations } from '../operations/context.ts'
import { createSession, type WriteSession } from '../operations/create-session.ts'
import { decideSession } from '../operations/decide-session.ts'
import { presentDecision } from '../operations/present-decision.ts'
import { presentPurgeCertificate } from '../operations/present-purge-certificate.ts'
import { presentReceipt } from '../operations/present-receipt.ts'
import { presentSession } from '../operations/present-session.ts'
import { purgeSession } from '../operations/purge-session.ts'
import { settleClock } from '../operations/settle-clock.ts'
import { signingKeyOf } from '../operations/signing-keys.ts'
import { listSessions } from '../store/session-list.ts'
import { findSession, insertSession } from '../store/sessions.ts'
import { listLiveWorkflows } from '../store/workflows.ts'

type Context = CallContext<(typeof sessionEndpoints)['createSession']>

export function sessionRouter(operations: Operations, deps: ServiceDeps & { replies: Replies }): Router {
  const router = express.Router()
  const { database, vault } = operations

  const find = async (context: Context, sessionId: string) => {
    const session = await findSession(database, context.caller.app_id, sessionId)
    if (!session) throw notFound('session')
    return settleClock(operations, session)
  }

  const handlers: Handlers<typeof sessionEndpoints> = {
    createSession: async ({ body }, context) => {
      const { app_id, environment, key_id } = context.caller
      const created_by = { type: 'api_key' as const, id: key_id }
      const request = { app_id, environment, created_via: 'api' as const, created_by, body }
      const { keyed } = context
      if (!keyed) return createSession(operations, operations.insertSession, request)
      // Written in one transaction with its stored response, so that a crash in between leaves neither.
      const insert: WriteSession = (row, answerOf) =>
        database.transaction(async (tx) => {
          const inserted = await insertSession(tx, row)
          if (inserted) await keyed.keepReply(tx, answerOf(inserted))
          return inserted
        })
      return createSession(operations, insert, request)
    },

    listSessions: async ({ query }, { caller }) => {
      const { page, page_size, ...filter } = query
      const { rows, total } = await listSessions(
        database,
        { app_id: caller.app_id, ...filter },
        { page, page_size },
      )
      return { data: rows.map(presentSession), page, page_size, total }
    },

    getSession: async ({ params }, context) => presentSession(await find(context, params.session_id)),

    getDecision: async ({ params }, context) =>
      presentDecision({ vault, sql: database }, await find(context, params.session_id)),

    decideSession: async ({ params, body }, { caller }) => {
      const { session, review } = await decideSession(operations, {
        app_id: caller.app_id,
        session_id: params.session_id,
        status: body.status,
        note: body.note ?? null,
        reviewed_by: null,
        api_key_id: caller.key_id,
      })
      return { ...presentSession(session), review }
    },

    purgeSession: async ({ params }, { caller }) =>
      purgeSession(operations, {
        app_id: caller.app_id,
        session_id: params.session_id,
        actor: { type: 'api_key', id: caller.key_id },
      }),

    getPurgeCertificate: async ({ params }, { caller }) =>
      presentPurgeCertificate(operations, { app_id: caller.app_id, session_id: params.session_id }),

    getReceipt: async ({ params }, { caller }) =>
      presentReceipt(operations, { app_id: caller.app_id, session_id: params.session_id }),

    listSigningKeys: async (_input, { caller }) => ({
      keys: [(await signingKeyOf(vault, caller.app_id)).publicKey],
    }),

    listWorkflows: async ({ query }, { caller }) => {
      const { data, total } = await listLiveWorkflows(operations.prisma, caller.app_id, query)
      return { data, page: query.page, page_size: query.page_size, total }
    },
  }
  mount(router, sessionEndpoints, handlers, deps)
  mount(router, testModeEndpoints, testModeHandlers(operations), deps)
  return router
}

const testModeHandlers = (operations: Operations): Handlers<typeof testModeEndpoints> => ({
  listTestScenarios: async () => ({ data: [...testScenarios] }),
  advanceTestSession: async ({ params, body }, { caller, traceparent }) =>
    presentSession(
      await advanceSession(operations, {
        app_id: caller.app_id,
        session_id: params.session_id,
        to: body.to,
        api_key_id: caller.key_id,
        traceparent,
      }),
    ),
})

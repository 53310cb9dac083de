import { flowEndpoints } from '@kyc/common'
import type { ServiceDeps } from '@kyc/host'
import { type CallContext, type Handlers, mount } from '@kyc/http'
import express, { type Router } from 'express'
import type { Operations } from '../operations/context.ts'
import { confirmOnThisDevice, createHandoff } from '../operations/create-handoff.ts'
import { ensureStarted } from '../operations/ensure-started.ts'
import { followFlow } from '../operations/follow-flow.ts'
import { giveConsent } from '../operations/give-consent.ts'
import { getChallenge, uploadLiveness } from '../operations/liveness.ts'
import { linkState, openVisit, resolveToken } from '../operations/open-visit.ts'
import { presentState } from '../operations/present-state.ts'
import { recordPageEvent } from '../operations/record-page-event.ts'
import { submitFlow } from '../operations/submit-flow.ts'
import { uploadDocument } from '../operations/upload-document.ts'
import { verifyEmail } from '../operations/verify-email.ts'
import { deviceOf, rememberDevice } from './device-cookie.ts'
import type { Pages } from './page.ts'

type Context = CallContext<(typeof flowEndpoints)['getFlowState']>

export function flowRouter(operations: Operations, deps: ServiceDeps, pages: Pages): Router {
  const router = express.Router()
  const callerOf = (params: { token: string }, { caller, traceparent, request }: Context) => ({
    token: params.token,
    device: deviceOf(request, operations.flowUrl),
    address: caller.address,
    traceparent,
  })
  const visitOf = (params: { token: string }, context: Context) =>
    openVisit(operations, callerOf(params, context))

  const handlers: Handlers<typeof flowEndpoints> = {
    openFlow: async ({ params }, context) => {
      const caller = callerOf(params, context)
      // Clients that do not accept HTML, such as scripts and monitors, get the usual JSON error for an unknown token.
      if (context.request.accepts(['json', 'html']) !== 'html') await resolveToken(operations, caller)
      pages.send(context.response, await linkState(operations, caller))
    },
    followFlow: async ({ params, query }, context) => {
      const gone = new AbortController()
      context.response.once('close', () => gone.abort())
      return followFlow(operations, callerOf(params, context), query.revision, gone.signal)
    },
    getFlowState: async ({ params }, context) => presentState(operations, await visitOf(params, context)),
    startFlow: async ({ params, body }, context) => {
      const caller = callerOf(params, context)
      const resolved = await resolveToken(operations, caller)
      if ('handoff' in resolved) {
        const confirmed = await confirmOnThisDevice(operations, caller, resolved.handoff, body.code)
        rememberDevice(context.response, operations.flowUrl, params.token, confirmed.device)
        return confirmed.state
      }
      return presentState(operations, await ensureStarted(operations, resolved.visit, body.locale))
    },
    giveConsent: async ({ params, body }, context) =>
      giveConsent(operations, await visitOf(params, context), body),
    verifyEmail: async ({ params, body }, context) =>
      verifyEmail(operations, await visitOf(params, context), body),
    uploadDocument: async ({ params, body, files }, context) =>
      uploadDocument(
        operations,
        await visitOf(params, context),
        body,
        files.image[0]?.bytes ?? Buffer.alloc(0),
      ),
    getLivenessChallenge: async ({ params }, context) =>
      getChallenge(operations, await visitOf(params, context)),
    uploadLiveness: async ({ params, body, files }, context) =>
      uploadLiveness(
        operations,
        await visitOf(params, context),
        body,
        files.frames.map((file) => file.bytes),
      ),
    createHandoff: async ({ params }, context) => createHandoff(operations, await visitOf(params, context)),
    recordFlowEvent: async ({ params, body }, context) => {
      const { session } = await visitOf(params, context)
      await recordPageEvent(operations, session, body.name)
    },
    submitFlow: async ({ params }, context) => submitFlow(operations, await visitOf(params, context)),
  }
  mount(router, flowEndpoints, handlers, deps)
  return router
}

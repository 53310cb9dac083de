import {
  defaultWorkflowConfig,
  type FlowSession,
  findSessionLinks,
  notFound,
  openSession,
  readUploadedDocument,
  refuseConsent,
  startSession,
  type WorkflowConfigInput,
  workflowConfig,
} from '@kyc/common'
import { newId, sha256Hex } from '@kyc/runtime'
import { type ServiceHarness, startService } from '@kyc/testing'
import supertest from 'supertest'
import { flowSchema, flowService } from '../src/service.ts'

export type FlowHarness = ServiceHarness & {
  /** Adds a session as `session` would store it; returns its token. */
  addSession(change?: { environment?: 'test' | 'live'; config?: WorkflowConfigInput }): string
  /** Simulates a request for resubmission: the same link, in its next round. */
  askAgain(token: string): void
  /** How many times a document was read. */
  reads(): number
  request(
    method: 'get' | 'post',
    path: string,
    options?: { cookie?: string; accept?: string },
  ): Promise<supertest.Response>
}

/** Starts only the flow; stub handlers on the bus replace `session` and `checks`. */
export async function startFlowService(smtpUrl?: string): Promise<FlowHarness> {
  const sessions = new Map<string, FlowSession>()
  let reads = 0
  const byId = (id: string) => {
    const found = [...sessions.values()].find(({ session_id }) => session_id === id)
    if (!found) throw notFound('session')
    return found
  }
  const config = {
    SMTP_URL: smtpUrl,
    FLOW_URL: undefined,
    MAIL_FROM: 'Example <no-reply@example.org>',
    RESULT_TOKEN_SECRET: 'x'.repeat(32),
  }
  const harness = await startService('flow', flowSchema, (deps) => flowService(deps, config), {
    before: (bus) => {
      bus.respond(openSession, async ({ token_sha256 }) => {
        const found = sessions.get(token_sha256)
        if (!found) throw notFound('link')
        return found
      })
      bus.respond(findSessionLinks, async ({ token_sha256 }) => ({
        known: token_sha256.filter((hash) => sessions.has(hash)),
      }))
      bus.respond(startSession, async ({ session_id }) => {
        byId(session_id).status = 'in_progress'
        return { status: 'in_progress' as const }
      })
      bus.respond(refuseConsent, async ({ session_id }) => {
        byId(session_id).status = 'declined'
        return { status: 'declined' as const }
      })
      bus.respond(readUploadedDocument, async () => {
        reads += 1
        const quality = { sharpness: 0.1, glare: 0, brightness: 0.5, resolution: 1, cropped: null }
        return {
          accepted: false,
          quality,
          issues: [{ code: 'image_blurry', message: 'The photo is blurred.' }],
          needs_back: false,
        }
      })
    },
  })
  return {
    ...harness,
    reads: () => reads,
    addSession: (change = {}) => {
      const token = newId('object')
      sessions.set(sha256Hex(token), {
        app_id: newId('app'),
        session_id: newId('session'),
        environment: change.environment ?? 'test',
        round: 1,
        status: 'not_started',
        workflow_id: newId('workflow'),
        config: change.config ? workflowConfig.parse(change.config) : defaultWorkflowConfig(),
        app: { name: 'Example', logo_url: null, accent: null },
        callback_url: null,
        sealed_contact_email: null,
        expires_at: '2040-01-01T00:00:00Z',
        test_scenario: null,
      })
      return token
    },
    askAgain: (token) => {
      const session = sessions.get(sha256Hex(token))
      if (session) session.round += 1
    },
    request: async (method, path, options = {}) => {
      const request = supertest(harness.service.app)
        [method](path)
        .set(await harness.identity({ type: 'flow' }))
      if (options.cookie) request.set('cookie', options.cookie)
      return request.set('accept', options.accept ?? 'application/json')
    },
  }
}

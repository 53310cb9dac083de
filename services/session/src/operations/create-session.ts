import {
  badRequest,
  type CreatedSession,
  type createSessionBody,
  type Environment,
  type EventActor,
  notFound,
  type TestScenarioName,
  testScenarioName,
  testScenarioNames,
  toTimestamp,
  unprocessable,
} from '@kyc/common'
import { newId, newToken, sha256Hex } from '@kyc/runtime'
import type { z } from 'zod'
import { findApp } from '../store/apps.ts'
import type { NewSession } from '../store/sessions.ts'
import type { Operations } from './context.ts'
import { sealPersonal } from './personal.ts'

export type CreateSession = {
  app_id: string
  environment: Environment
  created_via: 'api' | 'console'
  created_by: EventActor
  body: z.output<typeof createSessionBody>
}

/** In a test app only. An unknown scenario is rejected, so that a typo does not silently run the real checks. */
function scenarioOf(metadata: Record<string, unknown> | undefined): TestScenarioName | null {
  if (metadata?.test_scenario === undefined) return null
  const known = testScenarioName.safeParse(metadata.test_scenario)
  if (!known.success)
    throw badRequest(`metadata.test_scenario: must be one of ${testScenarioNames.join(', ')}`)
  return known.data
}

/** Redirects are limited to hosts that the app's users allowed, whichever API key is used. */
async function requireAllowedHost({ database }: Operations, appId: string, url: string): Promise<void> {
  const hosts = (await findApp(database, appId))?.callback_hosts
  if (hosts && !hosts.includes(new URL(url).hostname))
    throw badRequest('callback_url: its host is not among those allowed for this app')
}

type InsertedSession = { workflow_id: string }

/** `answerOf` builds the response for the inserted session, for a caller that stores it in the same transaction. */
export type WriteSession = (
  row: NewSession,
  answerOf: (inserted: InsertedSession) => CreatedSession,
) => Promise<InsertedSession | null>

/** Creates a session. `insert` writes it, either batched with others or in the caller's transaction. */
export async function createSession(
  operations: Operations,
  insert: WriteSession,
  { app_id, environment, created_via, created_by, body }: CreateSession,
): Promise<CreatedSession> {
  if (body.callback_url) await requireAllowedHost(operations, app_id, body.callback_url)
  const now = operations.clock.now()
  const sessionId = newId('session')
  const token = newToken()
  const expiresAt = new Date(now.getTime() + body.expires_in_hours * 3_600_000)
  const scenario = environment === 'test' ? scenarioOf(body.metadata) : null
  const answerOf = ({ workflow_id }: InsertedSession): CreatedSession => ({
    session_id: sessionId,
    status: 'not_started',
    url: `${operations.flowUrl}/flow/${token}`,
    session_token: token,
    workflow_id,
    vendor_data: body.vendor_data ?? null,
    expires_at: toTimestamp(expiresAt),
  })
  const row = {
    session_id: sessionId,
    app_id,
    environment,
    workflow_id: body.workflow_id ?? null,
    vendor_data: body.vendor_data ?? null,
    callback_url: body.callback_url ?? null,
    token_sha256: Buffer.from(sha256Hex(token), 'hex'),
    created_via,
    test_scenario: scenario,
    sealed_personal: await sealPersonal(
      operations.vault,
      { app_id, session_id: sessionId },
      { metadata: body.metadata ?? {}, contact_email: body.contact?.email ?? null },
    ),
    created_by,
    created_at: now,
    expires_at: expiresAt,
  }
  const inserted = await insert(row, answerOf)
  if (!inserted) {
    throw body.workflow_id === undefined
      ? unprocessable('The app has no workflow yet.')
      : notFound('workflow')
  }
  return answerOf(inserted)
}

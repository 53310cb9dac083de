import { createOutbox } from '@kyc/bus'
import {
  appConfigured,
  type Check,
  type CheckKind,
  checkCompleted,
  createWorkflow,
  emptyIdentity,
  enabledChecks,
  openSession,
  sealContexts,
  startSession,
  submitSession,
  type WorkflowConfigInput,
  workflowConfig,
} from '@kyc/common'
import type { ServiceDeps } from '@kyc/host'
import { newId, sha256Hex, silentLogger } from '@kyc/runtime'
import { type ServiceHarness, startService } from '@kyc/testing'
import supertest from 'supertest'
import { type OpenPurges, runPurges } from '../src/operations/run-purges.ts'
import { operationsOf, sessionSchema, sessionService } from '../src/service.ts'

export const testConfig = { FLOW_URL: undefined, PROCESSING_DEADLINE_SECONDS: 120, CLOCK_SECONDS: 60 }

export type SessionHarness = ServiceHarness & {
  appId: string
  api: ReturnType<typeof supertest>
  headers: Record<string, string>
  outbox: ReturnType<typeof createOutbox>
  /** Runs the purge job once. */
  runPurges(): Promise<OpenPurges>
  /** The errors that the purge job logged. */
  errors(): string[]
}

/** Starts the session service with one app that has a default workflow. */
export async function startSessionService(
  config: WorkflowConfigInput = {},
  options: Parameters<typeof startService>[3] = {},
): Promise<SessionHarness> {
  const create = (deps: ServiceDeps) => sessionService(deps, testConfig)
  const harness = await startService('session', sessionSchema, create, options)
  const appId = newId('app')
  const outbox = createOutbox({ clock: harness.clock })
  await harness.database.transaction((tx) =>
    outbox.append(tx, appConfigured, {
      app_id: appId,
      revision: 1,
      environment: 'test',
      name: 'Example',
      logo_url: null,
      accent: null,
      retention_days: 30,
    }),
  )
  await harness.drain()
  await harness.bus.request(createWorkflow, {
    app_id: appId,
    name: 'Default',
    is_default: true,
    config: workflowConfig.parse(config),
  })
  const headers = await harness.identity({ app_id: appId })
  const errors: string[] = []
  const logger = { ...silentLogger, error: (message: string) => void errors.push(message) }
  const operations = operationsOf({ ...harness.deps, logger }, testConfig)
  return {
    ...harness,
    appId,
    headers,
    outbox,
    api: supertest(harness.service.app),
    runPurges: () => runPurges(operations),
    errors: () => errors,
  }
}

/** Creates, starts and submits a session as the flow does. */
export async function submitted(harness: SessionHarness, body: object = {}): Promise<string> {
  const created = await harness.api.post('/v1/sessions').set(harness.headers).send(body).expect(201)
  const opened = await harness.bus.request(openSession, {
    token_sha256: sha256Hex(created.body.session_token),
  })
  const scope = { app_id: opened.app_id, session_id: opened.session_id }
  await harness.bus.request(startSession, scope)
  const consent = await sealedCheck(harness, scope, { kind: 'consent', status: 'passed' })
  await harness.bus.request(submitSession, {
    ...scope,
    evidence: [],
    sealed_checks: opened.config.steps.consent.enabled
      ? [{ kind: 'consent', status: 'passed', sealed_check: consent }]
      : [],
    sealed_client_address: null,
  })
  return opened.session_id
}

async function sealedCheck(
  harness: SessionHarness,
  scope: { app_id: string; session_id: string },
  part: Partial<Check> & Pick<Check, 'kind' | 'status'>,
): Promise<string> {
  const whole: Check = {
    score: null,
    data: {},
    warnings: [],
    attempts: 1,
    started_at: null,
    completed_at: null,
    engine: null,
    ...part,
  }
  return (await harness.deps.vault.seal(scope, sealContexts.check_data, whole)).toString('base64')
}

/** Publishes `check.completed` as a checker does. */
export async function answer(
  harness: SessionHarness,
  sessionId: string,
  part: Partial<Check> & Pick<Check, 'kind' | 'status'>,
  options: { name?: string; part?: 'document' | 'face'; monitoring?: boolean } = {},
): Promise<void> {
  const scope = { app_id: harness.appId, session_id: sessionId }
  const subject = {
    identity: { ...emptyIdentity, full_name: options.name ?? null },
    document_number: null,
    issuing_state: null,
  }
  const identity = options.name ? await harness.deps.vault.seal(scope, sealContexts.identity, subject) : null
  const sealed = await sealedCheck(harness, scope, part)
  await harness.database.transaction((tx) =>
    harness.outbox.append(
      tx,
      checkCompleted,
      {
        ...scope,
        round: 1,
        final: true,
        kind: part.kind,
        part: options.part ?? null,
        status: part.status,
        sealed_check: sealed,
        sealed_identity: identity?.toString('base64') ?? null,
        monitoring: options.monitoring ?? false,
      },
      { orderingKey: sessionId },
    ),
  )
}

/** Passes every check of the default config except those in `except`. */
export async function passAll(
  harness: SessionHarness,
  sessionId: string,
  except: CheckKind[] = [],
): Promise<void> {
  for (const kind of enabledChecks(workflowConfig.parse({}))) {
    if (kind === 'consent' || except.includes(kind)) continue
    const passed = { kind, status: 'passed' } as const
    if (kind === 'duplicate') {
      await answer(harness, sessionId, passed, { part: 'document' })
      await answer(harness, sessionId, passed, { part: 'face' })
    } else {
      await answer(harness, sessionId, passed, kind === 'document' ? { name: 'Erika Beispiel' } : {})
    }
  }
  await harness.drain()
}

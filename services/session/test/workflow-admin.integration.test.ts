import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import {
  archiveWorkflow,
  createWorkflowByUser,
  editWorkflow,
  getWorkflow,
  getWorkflowVersion,
  listAllWorkflows,
  setDefaultWorkflow,
  simulateWorkflow,
  type WorkflowConfigInput,
  workflowConfig,
} from '@kyc/common'
import { newId } from '@kyc/runtime'
import { auditOf, inReview, listedMatch, reviewer } from './console-harness.ts'
import { answer, passAll, type SessionHarness, startSessionService, submitted } from './harness.ts'

let harness: SessionHarness
beforeAll(async () => {
  harness = await startSessionService()
})
afterAll(() => harness.close())

const by = reviewer()
const make = (name: string, config: WorkflowConfigInput = {}, is_default = false) =>
  harness.bus.request(createWorkflowByUser, {
    app_id: harness.appId,
    by,
    name,
    is_default,
    config: workflowConfig.parse(config),
  })

describe('a workflow', () => {
  test('gets a new version by an edit; editing an outdated version is a conflict that names the newer one', async () => {
    const made = await make('Onboarding')
    const scope = { app_id: harness.appId, workflow_id: made.id }
    const config = workflowConfig.parse({ steps: { liveness: { pass: 0.9 } } })
    const edit = { ...scope, by, version: 1, name: 'Onboarding EU', config }
    const both = await Promise.allSettled([
      harness.bus.request(editWorkflow, edit),
      harness.bus.request(editWorkflow, edit),
    ])
    expect(both.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect(both.find(({ status }) => status === 'rejected')).toMatchObject({
      reason: { code: 'conflict', message: 'Version 2 of this workflow was saved meanwhile.' },
    })
    const after = await harness.bus.request(getWorkflow, scope)
    expect(after).toMatchObject({
      name: 'Onboarding EU',
      version: 2,
      config: { steps: { liveness: { pass: 0.9 } } },
    })
    expect(after.versions).toMatchObject([
      { version: 2, created_by: by.user_id },
      { version: 1, created_by: by.user_id },
    ])
    const second = await harness.bus.request(getWorkflowVersion, { ...scope, version: 2 })
    expect(second.previous_config?.steps.liveness.pass).toBe(0.8)
    expect((await auditOf(harness, made.id)).map(({ action }) => action)).toEqual([
      'workflow.created',
      'workflow.edited',
    ])
  })

  test('edited while a session runs does not affect that session', async () => {
    const made = await make('Running')
    const created = await harness.api
      .post('/v1/sessions')
      .set(harness.headers)
      .send({ workflow_id: made.id })
      .expect(201)
    await harness.bus.request(editWorkflow, {
      app_id: harness.appId,
      workflow_id: made.id,
      by,
      version: 1,
      name: 'Running',
      config: workflowConfig.parse({ steps: { aml: { enabled: false } } }),
    })
    const decision = await harness.api
      .get(`/v1/sessions/${created.body.session_id}/decision`)
      .set(harness.headers)
      .expect(200)
    expect(decision.body.checks.map(({ kind }: { kind: string }) => kind)).toContain('aml')
  })

  test('always has exactly one default per app; a default cannot be archived, an archived one cannot be changed', async () => {
    const made = await make('Second')
    const other = await make('Third')
    const ofWorkflow = (workflow_id: string) => ({ app_id: harness.appId, workflow_id, by })
    await Promise.all([
      harness.bus.request(setDefaultWorkflow, ofWorkflow(made.id)),
      harness.bus.request(setDefaultWorkflow, ofWorkflow(other.id)),
    ])
    const { data } = await harness.bus.request(listAllWorkflows, { app_id: harness.appId })
    const defaults = data.filter(({ is_default }) => is_default)
    expect(defaults).toHaveLength(1)
    expect(data[0]?.id).toBe(defaults[0]?.id)
    await expect(
      harness.bus.request(archiveWorkflow, ofWorkflow(defaults[0]?.id ?? '')),
    ).rejects.toMatchObject({ code: 'conflict' })
    const loser = defaults[0]?.id === made.id ? other.id : made.id
    expect(await harness.bus.request(archiveWorkflow, ofWorkflow(loser))).toMatchObject({ is_default: false })
    await expect(harness.bus.request(setDefaultWorkflow, ofWorkflow(loser))).rejects.toMatchObject({
      code: 'conflict',
    })
    await harness.api.post('/v1/sessions').set(harness.headers).send({ workflow_id: loser }).expect(404)
  })

  test('of another app does not exist', async () => {
    const made = await make('Hidden')
    const scope = { app_id: newId('app'), workflow_id: made.id }
    const config = workflowConfig.parse({})
    const answers = await Promise.allSettled([
      harness.bus.request(getWorkflow, scope),
      harness.bus.request(getWorkflowVersion, { ...scope, version: 1 }),
      harness.bus.request(editWorkflow, { ...scope, by, version: 1, name: 'x', config }),
      harness.bus.request(archiveWorkflow, { ...scope, by }),
      harness.bus.request(setDefaultWorkflow, { ...scope, by }),
      harness.bus.request(simulateWorkflow, { ...scope, config, sessions: 10 }),
    ])
    for (const answer of answers) {
      expect(answer).toMatchObject({ status: 'rejected', reason: { code: 'not_found' } })
    }
  })
})

describe('a simulation', () => {
  test('reports which past decisions would change, and changes nothing', async () => {
    const made = await make('Simulated', {}, true)
    const body = { workflow_id: made.id }
    const clean = await submitted(harness, body)
    await passAll(harness, clean)
    const weak = await submitted(harness, body)
    await passAll(harness, weak, ['liveness'])
    await answer(harness, weak, { kind: 'liveness', status: 'passed', score: 0.85 })
    await harness.drain()
    const listed = await inReview(harness, { body, matches: [listedMatch({ name_score: 0.84 })] })
    const before = await tablesOf()
    const simulate = (config: WorkflowConfigInput) =>
      harness.bus.request(simulateWorkflow, {
        app_id: harness.appId,
        workflow_id: made.id,
        config: workflowConfig.parse(config),
        sessions: 100,
      })

    expect(await simulate({})).toMatchObject({ sessions: 3, changed: 0, unchanged: 3, undetermined: 0 })
    const stricter = await simulate({ steps: { liveness: { pass: 0.9 } } })
    expect(stricter).toMatchObject({ changed: 1, after: { in_review: 2, approved: 1 } })
    expect(stricter.differences).toMatchObject([
      {
        session_id: weak,
        before: { status: 'approved', decision_reason: null },
        after: { status: 'in_review', decision_reason: 'liveness_inconclusive' },
        checks: [{ kind: 'liveness', before: 'passed', after: 'warning' }],
      },
    ])
    const higherFloor = await simulate({ review_threshold: 0.9 })
    expect(higherFloor.differences).toMatchObject([{ session_id: listed, after: { status: 'approved' } }])
    const unknown = await simulate({ steps: { age: { enabled: true } } })
    expect(unknown).toMatchObject({ changed: 0, undetermined: 3 })
    expect(await tablesOf()).toEqual(before)
  })
})

/** The row counts of every table that a simulation might have written to. */
async function tablesOf() {
  const { rows } = await harness.database.query(
    `SELECT (SELECT count(*) FROM outbox) AS outbox, (SELECT count(*) FROM decision) AS decision,
       (SELECT count(*) FROM session_event) AS events, (SELECT count(*) FROM workflow_version) AS versions,
       (SELECT string_agg(status || sequence, ',' ORDER BY seq) FROM session) AS sessions`,
  )
  return rows
}

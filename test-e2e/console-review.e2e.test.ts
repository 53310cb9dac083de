import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import sharp from 'sharp'
import type { ConsoleClient } from './support/console.ts'
import { submitSession } from './support/journey.ts'
import { openLive } from './support/live.ts'
import { type ReviewWorld, startReviewWorld } from './support/review-world.ts'
import { until } from './support/until.ts'

let world: ReviewWorld
let { system, api, owner, ana, app, photos, inReview, auditOf } = {} as ReviewWorld

beforeAll(async () => {
  world = await startReviewWorld()
  ;({ system, api, owner, ana, app, photos, inReview, auditOf } = world)
})
afterAll(() => world?.system.close())

const open = (client: ConsoleClient, sessionId: string) => client.get(`${app}/sessions/${sessionId}`)

describe('two reviewers at one session', () => {
  test('the second gets a conflict that names the first and the time; the audit log has one decision', async () => {
    const sessionId = await inReview()
    const [mine, hers] = [await open(owner, sessionId), await open(ana, sessionId)]
    expect(hers.body).toMatchObject({
      session: { status: 'in_review', warnings: { count: 1 } },
      decision: { decision_reason: 'aml_potential_match' },
      warning_texts: { aml_potential_match: { title: expect.any(String) } },
    })
    const first = await ana.post(`${app}/sessions/${sessionId}/decision`, {
      status: 'declined',
      reason: 'aml_confirmed_match',
      note: 'Same birth date',
      sequence: hers.body.sequence,
    })
    expect(first).toMatchObject({
      status: 200,
      body: {
        session: { status: 'declined', decision_reason: 'manual_review_declined' },
        reviews: [
          {
            status: 'declined',
            reason: 'aml_confirmed_match',
            actor: { name: 'Ana Prüfer' },
            note: 'Same birth date',
          },
        ],
      },
    })
    const second = await owner.post(`${app}/sessions/${sessionId}/decision`, {
      status: 'approved',
      sequence: mine.body.sequence,
    })
    expect(second.status).toBe(409)
    expect(second.body.error.message).toMatch(/^Ana Prüfer declined this session at 20\d\d-/)
    const entries = await auditOf(sessionId, 'session.reviewed')
    expect(entries).toMatchObject([{ details: { status: 'declined', reason: 'aml_confirmed_match' } }])
    expect(entries).toHaveLength(1)
    expect(JSON.stringify(entries)).not.toMatch(/Ana|birth date/)
  })

  test('an assigned session shows the name of its reviewer to the other; declining without a reason is rejected', async () => {
    const sessionId = await inReview()
    const me = (await ana.get('/me')).body.user.id
    const held = await ana.post(`${app}/sessions/${sessionId}/assignment`, { user_id: me })
    expect(held.body.assignment).toMatchObject({ user_id: me, name: 'Ana Prüfer' })
    const owned = (await owner.get('/me')).body.user.id
    const refused = await owner.post(`${app}/sessions/${sessionId}/assignment`, { user_id: owned })
    expect(refused.status).toBe(409)
    expect(refused.body.error.message).toContain('Ana Prüfer holds this session')
    const { sequence } = (await open(ana, sessionId)).body
    const bare = await ana.post(`${app}/sessions/${sessionId}/decision`, { status: 'declined', sequence })
    expect([bare.status, bare.body.error.message]).toEqual([400, 'reason: is required to decline'])
  })
})

describe('evidence', () => {
  test('is re-encoded without metadata, never cached, and each view is in the audit log', async () => {
    const sessionId = await inReview()
    const { evidence } = (await open(ana, sessionId)).body
    expect(evidence.map((item: { kind: string }) => item.kind).sort()).toEqual([
      'document_front',
      'liveness_frame',
    ])
    const path = `${app}/sessions/${sessionId}/evidence/${evidence[0].object_id}`
    const shown = await ana.picture(path)
    expect(shown.headers.get('content-type')).toBe('image/jpeg')
    expect(shown.headers.get('cache-control')).toContain('no-store')
    expect(shown.headers.get('content-security-policy')).toContain("default-src 'none'")
    const { exif, width } = await sharp(shown.bytes).metadata()
    expect({ exif, width }).toEqual({ exif: undefined, width: 640 })
    expect(shown.bytes.includes('SecretCamera')).toBe(false)
    const entries = await auditOf(sessionId, 'evidence.viewed')
    expect(entries).toMatchObject([{ details: { object_id: evidence[0].object_id, kind: evidence[0].kind } }])
    const other = await inReview('document_expired')
    const stolen = await ana.get(`${app}/sessions/${other}/evidence/${evidence[0].object_id}`)
    expect(stolen.status).toBe(404)
  })

  test('is gone after a purge, and so are notes, name and the images of the report', async () => {
    const sessionId = await inReview()
    await ana.post(`${app}/sessions/${sessionId}/notes`, { text: 'Called the customer' })
    const before = await open(owner, sessionId)
    expect(before.body.notes).toMatchObject([{ text: 'Called the customer', name: 'Ana Prüfer' }])
    const name = before.body.decision.identity.full_name
    const path = `${app}/sessions/${sessionId}/evidence/${before.body.evidence[0].object_id}`
    expect((await owner.get(path)).status).toBe(200)
    if (name) {
      const found = await owner.get(`${app}/sessions?name=${encodeURIComponent(name)}`)
      expect(found.body.data.map((item: { session_id: string }) => item.session_id)).toContain(sessionId)
    }
    expect((await ana.delete(`${app}/sessions/${sessionId}`)).status).toBe(403)
    expect((await owner.delete(`${app}/sessions/${sessionId}`)).status).toBe(204)
    expect((await owner.get(path)).status).toBe(404)
    const after = await open(owner, sessionId)
    expect(after.body).toMatchObject({
      session: { status: 'expired', decision_reason: 'purged' },
      evidence: [],
      notes: [],
      decision: { identity: { full_name: null } },
    })
    if (name) {
      const found = await owner.get(`${app}/sessions?name=${encodeURIComponent(name)}`)
      expect(found.body.data.map((item: { session_id: string }) => item.session_id)).not.toContain(sessionId)
    }
    const report = await owner.get(`${app}/sessions/${sessionId}/report?evidence=true`)
    expect(report.status).toBe(200)
    expect(report.body).not.toMatch(/Called the customer|data:image/)
    const refused = await ana.post(`${app}/sessions/${sessionId}/notes`, { text: 'late' })
    expect(refused.status).toBe(409)
  })
})

test('a report is self-contained: no script, no request, embedded images, each audited', async () => {
  const sessionId = await inReview('aml_match', { vendor_data: '<script>alert(1)</script>' })
  const report = await owner.get(`${app}/sessions/${sessionId}/report?evidence=true`)
  expect(report.headers.get('content-security-policy')).toMatch(/default-src 'none'; style-src 'sha256-/)
  expect(report.body).toContain('&lt;script&gt;alert(1)&lt;/script&gt;')
  expect(report.body).not.toContain('<script>')
  expect(report.body.match(/src="data:image\/jpeg;base64,/g)).toHaveLength(2)
  expect(await auditOf(sessionId, 'evidence.viewed')).toHaveLength(2)
})

test('evidence is an image under a policy that forbids scripts, framing and storage', async () => {
  const sessionId = await inReview('aml_match')
  const { evidence } = (await open(owner, sessionId)).body as { evidence: { object_id: string }[] }
  expect(evidence.length).toBeGreaterThan(0)
  for (const { object_id } of evidence) {
    const { status, headers } = await owner.get(`${app}/sessions/${sessionId}/evidence/${object_id}`)
    expect(status).toBe(200)
    expect(headers.get('content-type')).toBe('image/jpeg')
    expect(headers.get('content-disposition')).toBe('inline; filename="evidence.jpg"')
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('cache-control')).toBe('no-store')
    const policy = (headers.get('content-security-policy') ?? '').split('; ')
    for (const directive of ["default-src 'none'", "base-uri 'none'", "frame-ancestors 'none'", 'sandbox'])
      expect(policy).toContain(directive)
  }
})

test('a resubmission reopens the flow under the same link, and the second round is decided separately', async () => {
  const metadata = { test_scenario: 'aml_match' }
  const created = await submitSession(api, system.url, photos, { metadata })
  const waiting = await until(
    () => open(ana, created.session_id),
    (answer) => answer.body.session.status === 'in_review',
  )
  const asked = await ana.post(`${app}/sessions/${created.session_id}/retry`, {
    sequence: waiting.body.sequence,
    note: 'Please send the page again',
  })
  expect(asked.body.session).toMatchObject({ status: 'in_progress', round: 2 })
  const state = await (await fetch(`${system.url}/flow/${created.session_token}/state`)).json()
  expect(state).toMatchObject({ status: 'in_progress', current_step: 'consent' })
})

test('the queue lists the longest waiting first, and taking the next skips sessions assigned to others', async () => {
  const [first, second] = [await inReview(), await inReview()]
  const queued = (await owner.get(`${app}/queue?assignee=none&limit=100`)).body
  const ids = queued.data.map((item: { session_id: string }) => item.session_id)
  expect(ids.indexOf(first)).toBeLessThan(ids.indexOf(second))
  expect(queued.data.find((item: { session_id: string }) => item.session_id === first)).toMatchObject({
    aml: { matches: 1, unreviewed: 1 },
    decision_reason: 'aml_potential_match',
  })
  const taken = await Promise.all([owner.post(`${app}/queue/next`, {}), ana.post(`${app}/queue/next`, {})])
  expect(taken[0].body.session_id).not.toBe(taken[1].body.session_id)
  const mine = (await ana.get(`${app}/queue?assignee=me&limit=100`)).body.data
  expect(mine.map((item: { session_id: string }) => item.session_id)).toContain(taken[1].body.session_id)
})

test('a match retains the verdict of a reviewer', async () => {
  const sessionId = await inReview()
  const { decision } = (await open(ana, sessionId)).body
  const aml = decision.checks.find((check: { kind: string }) => check.kind === 'aml')
  const match = aml.data.matches[0].match_id
  const judged = await ana.post(`${app}/sessions/${sessionId}/aml-matches/${match}/review`, {
    verdict: 'false_positive',
    note: 'Another year of birth',
  })
  const after = judged.body.decision.checks.find((check: { kind: string }) => check.kind === 'aml')
  expect(after.data.matches[0].review).toMatchObject({
    status: 'false_positive',
    note: 'Another year of birth',
  })
  const again = await ana.post(`${app}/sessions/${sessionId}/rescreen`)
  expect(again.status).toBe(200)
})

test('a session created in the console has a working link and its QR code', async () => {
  const made = await owner.post(`${app}/sessions`, {
    vendor_data: 'walk-in',
    contact: { email: 'a@example.org' },
  })
  expect(made.status).toBe(201)
  expect(made.body.qr_svg).toContain('<svg')
  expect((await fetch(`${system.url}/flow/${made.body.session_token}/state`)).status).toBe(200)
  expect((await open(owner, made.body.session_id)).body.session).toMatchObject({
    created_via: 'console',
    vendor_data: 'walk-in',
  })
  expect((await ana.post(`${app}/sessions`, {})).status).toBe(403)
})

test('an edited workflow does not affect running sessions; a simulation changes nothing but the audit log', async () => {
  const [workflow] = (await owner.get(`${app}/workflows`)).body.data
  const running = await api.post<{ session_id: string }>('/v1/sessions', {})
  const config = structuredClone(workflow.config)
  config.steps.aml.enabled = false
  const diff = await owner.post(`${app}/workflows/${workflow.id}/diff`, { config })
  expect(diff.body).toEqual({
    version: 1,
    changes: [{ path: 'steps.aml.enabled', before: true, after: false }],
  })
  const simulated = await owner.post(`${app}/workflows/${workflow.id}/simulate`, { config, sessions: 100 })
  expect(simulated.body.changed).toBeGreaterThan(0)
  expect(simulated.body.differences[0]).toMatchObject({ after: { status: 'approved' } })
  expect((await owner.get(`${app}/workflows/${workflow.id}`)).body.version).toBe(1)
  expect(await auditOf(workflow.id, 'workflow.simulated')).toHaveLength(1)
  const edited = await owner.put(`${app}/workflows/${workflow.id}`, {
    name: workflow.name,
    config,
    version: 1,
  })
  expect(edited.body).toMatchObject({ version: 2 })
  const late = await owner.put(`${app}/workflows/${workflow.id}`, { name: workflow.name, config, version: 1 })
  expect([late.status, late.body.error.message]).toEqual([
    409,
    'Version 2 of this workflow was saved meanwhile.',
  ])
  const checks = (await open(owner, running.body.session_id)).body.decision.checks
  expect(checks.map((check: { kind: string }) => check.kind)).toContain('aml')
  expect((await ana.put(`${app}/workflows/${workflow.id}`, { name: 'x', config, version: 2 })).status).toBe(
    403,
  )
})

test('analytics count the events above', async () => {
  const day = new Date().toISOString().slice(0, 10)
  const before = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10)
  const sums = (await ana.get(`${app}/analytics?from=${before}&to=${day}`)).body
  const list = (await ana.get(`${app}/sessions`)).body
  expect(sums.totals.created).toBe(list.total)
  expect(sums.reviewers).toMatchObject([{ name: 'Ana Prüfer', count: 2 }])
  expect(sums.funnel.find((item: { step: string }) => item.step === 'document').sessions).toBeGreaterThan(0)
})

describe('live updates', () => {
  test('deliver a decision immediately, and after a lost connection the missed events', async () => {
    const live = await openLive(`${system.url}/console/api${app}/live`, ana.cookie())
    const sessionId = await inReview()
    const moved = await live.until(({ data }) => data.session_id === sessionId && data.status === 'in_review')
    live.close()
    const { sequence } = (await open(owner, sessionId)).body
    await owner.post(`${app}/sessions/${sessionId}/decision`, { status: 'approved', sequence })
    const again = await openLive(`${system.url}/console/api${app}/live`, ana.cookie(), moved.id)
    const decided = await again.until(({ data }) => data.session_id === sessionId)
    expect(decided).toMatchObject({ event: 'session.status_changed', data: { status: 'approved' } })
    again.close()
  })

  test('are told to reload if missed events are no longer available', async () => {
    const live = await openLive(`${system.url}/console/api${app}/live`, ana.cookie(), '999999999')
    expect(await live.until(({ event }) => event === 'reset')).toMatchObject({ event: 'reset' })
    live.close()
  })
})

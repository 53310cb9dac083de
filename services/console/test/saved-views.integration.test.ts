import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { newId } from '@kyc/runtime'
import type { ServiceHarness } from '@kyc/testing'
import type { ConsoleClient } from './console-client.ts'
import { auditedBy, startTeam } from './team.ts'

let harness: ServiceHarness
let owner: ConsoleClient
let reviewer: ConsoleClient
let views: string

beforeAll(async () => {
  const team = await startTeam()
  harness = team.harness
  reviewer = (await team.joinFully('reviewer', 'views@example.com')).client
  owner = team.asOwner
  const [app] = (await owner.get('/apps')).body.data
  views = `/apps/${app.app_id}/views`
})
afterAll(() => harness.close())

const mine = {
  page: 'queue',
  name: 'Faces, mine',
  filters: { reason: 'face_mismatch', assignee: 'me', waiting: 60 },
}

test('a view is stored under its name for the user who saved it, and for nobody else', async () => {
  const saved = await reviewer.post(views, mine)
  expect([saved.status, saved.body]).toEqual([201, { ...mine, id: saved.body.id }])
  expect((await reviewer.get(views)).body.data).toEqual([saved.body])
  expect((await owner.get(views)).body.data).toEqual([])
  expect((await owner.delete(`${views}/${saved.body.id}`)).status).toBe(404)
})

test('the same name on the same page overwrites the view, and a deleted view is gone', async () => {
  const changed = await reviewer.post(views, { ...mine, filters: { assignee: 'none' } })
  const { data } = (await reviewer.get(views)).body
  expect(data).toEqual([{ ...mine, filters: { assignee: 'none' }, id: changed.body.id }])
  expect((await reviewer.delete(`${views}/${data[0].id}`)).status).toBe(204)
  expect((await reviewer.get(views)).body.data).toEqual([])
  expect((await reviewer.delete(`${views}/${newId('saved_view')}`)).status).toBe(404)
})

test.each([
  ['a name', { name: 'Erika' }],
  ['a reference', { vendor_data: 'customer-17' }],
  ['a session', { id: 'ses_1' }],
  ['free text', { reason: 'Erika Beispiel' }],
])('rejects a filter that contains personal data: %s', async (_, filters) => {
  expect((await reviewer.post(views, { ...mine, filters })).status).toBe(400)
})

test('rejects a view beyond the limit of 50 without changing the others', async () => {
  for (let number = 0; number < 50; number++)
    expect((await owner.post(views, { ...mine, name: `View ${number}` })).status).toBe(201)
  expect((await owner.post(views, { ...mine, name: 'One more' })).status).toBe(409)
  const { data } = (await owner.get(views)).body
  expect(data).toHaveLength(50)
  expect(data.map(({ name }: { name: string }) => name)).not.toContain('One more')
})

test('the audit log has each view by its id and never by its name', async () => {
  const { actions, text } = await auditedBy(harness)
  for (const action of ['view.saved', 'view.removed']) expect(actions).toContain(action)
  expect(text).not.toContain(mine.name)
})

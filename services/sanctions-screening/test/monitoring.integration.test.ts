import { afterEach, beforeEach, expect, test } from '@jest/globals'
import { manySdnCsv, sdnCsv } from './fixtures/ofac.ts'
import { Screening } from './screening-harness.ts'

let screening: Screening
beforeEach(async () => {
  screening = await Screening.start({ 'sdn_2026-02-01.csv': sdnCsv })
})
afterEach(() => screening.stop())

const person = '71000,"UBYCHANIN, Ondrej","individual","SDGT",-0- ,-0- ,-0- ,-0- ,-0- ,-0- ,-0- ,-0- \r\n'
const changedPerson = person.replace('"SDGT"', '"SDGT] [IFSR"')
const monitored = { name: 'UBYCHANIN ONDREJ', aml: { monitor: true } }

test('reports a new match of an approved session once', async () => {
  const scope = await screening.submit(monitored)
  await screening.changeStatus(scope, 1, 'approved')
  await screening.publishList('sdn_2026-02-02.csv', person + sdnCsv)
  const completed = screening.takeCompleted()
  expect(completed.map(({ session_id, status, monitoring }) => [session_id, status, monitoring])).toEqual([
    [scope.session_id, 'passed', false],
    [scope.session_id, 'warning', true],
  ])
  expect(completed[1]?.check.data).toMatchObject({ matches: [{ entity_id: '71000' }] })
  await screening.changeStatus(scope, 2, 'approved')
  await screening.publishList('sdn_2026-02-03.csv', changedPerson + sdnCsv)
  expect(screening.takeCompleted()).toHaveLength(0)
})

test('reports a match that arrived during review as soon as the session is approved', async () => {
  const scope = await screening.submit(monitored)
  await screening.changeStatus(scope, 1, 'in_review')
  await screening.publishList('sdn_2026-02-02.csv', person + sdnCsv)
  expect(screening.takeCompleted()).toHaveLength(1)
  await screening.changeStatus(scope, 2, 'approved')
  expect(screening.takeCompleted()).toMatchObject([{ status: 'warning', monitoring: true }])
  await screening.changeStatus(scope, 4, 'approved')
  expect(screening.takeCompleted()).toHaveLength(0)
})

test('ignores an older transition that arrives late', async () => {
  const scope = await screening.submit(monitored)
  await screening.changeStatus(scope, 3, 'in_review')
  await screening.changeStatus(scope, 2, 'approved')
  await screening.publishList('sdn_2026-02-02.csv', person + sdnCsv)
  expect(screening.takeCompleted()).toHaveLength(1)
})

test('reports nothing for sessions that are not approved or not monitored', async () => {
  await screening.submit(monitored)
  await screening.changeStatus(await screening.submit({ name: monitored.name }), 1, 'approved')
  await screening.changeStatus(await screening.submit(monitored), 1, 'declined')
  await screening.publishList('sdn_2026-02-02.csv', person + sdnCsv)
  expect(screening.takeCompleted()).toHaveLength(3)
})

test('reports nothing when an update does not affect the person', async () => {
  await screening.changeStatus(await screening.submit(monitored), 1, 'approved')
  await screening.publishList('sdn_2026-02-02.csv', manySdnCsv(20).replace('\u001a', '') + sdnCsv)
  expect(screening.takeCompleted()).toHaveLength(1)
})

test('reports a false positive again only when the entity changes', async () => {
  const first = await screening.submit(monitored)
  await screening.changeStatus(first, 1, 'approved')
  await screening.publishList('sdn_2026-02-02.csv', person + sdnCsv)
  const reported = screening.takeCompleted()[1]
  if (reported === undefined) throw new Error('the match was not reported')
  await screening.reviewFirstMatch(first, reported, 'false_positive', monitored)
  await screening.changeStatus(first, 2, 'approved')
  const second = await screening.submit({ ...monitored, app_id: first.app_id })
  await screening.changeStatus(second, 1, 'approved')
  expect(screening.takeCompleted()).toMatchObject([{ session_id: second.session_id, status: 'passed' }])

  await screening.publishList('sdn_2026-02-03.csv', person + manySdnCsv(20).replace('\u001a', '') + sdnCsv)
  expect(screening.takeCompleted()).toHaveLength(0)
  await screening.publishList('sdn_2026-02-04.csv', changedPerson + sdnCsv)
  const reportedAgain = screening.takeCompleted()
  expect(reportedAgain.map(({ session_id }) => session_id).sort()).toEqual(
    [first.session_id, second.session_id].sort(),
  )
  expect(reportedAgain).toMatchObject([
    { status: 'warning', monitoring: true },
    { status: 'warning', monitoring: true },
  ])
})

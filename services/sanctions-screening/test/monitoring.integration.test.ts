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

test('tells an approved session of a new match once', async () => {
  const scope = await screening.submit(monitored)
  await screening.moved(scope, 1, 'approved')
  await screening.publish('sdn_2026-02-02.csv', person + sdnCsv)
  const told = screening.told()
  expect(told.map(({ session_id, status, monitoring }) => [session_id, status, monitoring])).toEqual([
    [scope.session_id, 'passed', false],
    [scope.session_id, 'warning', true],
  ])
  expect(told[1]?.check.data).toMatchObject({ matches: [{ entity_id: '71000' }] })
  await screening.moved(scope, 2, 'approved')
  await screening.publish('sdn_2026-02-03.csv', changedPerson + sdnCsv)
  expect(screening.told()).toHaveLength(0)
})

test('tells of a match that came while the session was in review as soon as it is approved', async () => {
  const scope = await screening.submit(monitored)
  await screening.moved(scope, 1, 'in_review')
  await screening.publish('sdn_2026-02-02.csv', person + sdnCsv)
  expect(screening.told()).toHaveLength(1)
  await screening.moved(scope, 2, 'approved')
  expect(screening.told()).toMatchObject([{ status: 'warning', monitoring: true }])
  await screening.moved(scope, 4, 'approved')
  expect(screening.told()).toHaveLength(0)
})

test('an older transition that arrives late changes nothing', async () => {
  const scope = await screening.submit(monitored)
  await screening.moved(scope, 3, 'in_review')
  await screening.moved(scope, 2, 'approved')
  await screening.publish('sdn_2026-02-02.csv', person + sdnCsv)
  expect(screening.told()).toHaveLength(1)
})

test('leaves alone sessions that are not approved, or whose workflow does not ask for it', async () => {
  await screening.submit(monitored)
  await screening.moved(await screening.submit({ name: monitored.name }), 1, 'approved')
  await screening.moved(await screening.submit(monitored), 1, 'declined')
  await screening.publish('sdn_2026-02-02.csv', person + sdnCsv)
  expect(screening.told()).toHaveLength(3)
})

test('an update without this person tells nothing', async () => {
  await screening.moved(await screening.submit(monitored), 1, 'approved')
  await screening.publish('sdn_2026-02-02.csv', manySdnCsv(20).replace('\u001a', '') + sdnCsv)
  expect(screening.told()).toHaveLength(1)
})

test('a match that a reviewer called false is told again when the entity changes, and only then', async () => {
  const first = await screening.submit(monitored)
  await screening.moved(first, 1, 'approved')
  await screening.publish('sdn_2026-02-02.csv', person + sdnCsv)
  const raised = screening.told()[1]
  if (raised === undefined) throw new Error('the match was not told')
  await screening.review(first, raised, 'false_positive', monitored)
  await screening.moved(first, 2, 'approved')
  const second = await screening.submit({ ...monitored, app_id: first.app_id })
  await screening.moved(second, 1, 'approved')
  expect(screening.told()).toMatchObject([{ session_id: second.session_id, status: 'passed' }])

  await screening.publish('sdn_2026-02-03.csv', person + manySdnCsv(20).replace('\u001a', '') + sdnCsv)
  expect(screening.told()).toHaveLength(0)
  await screening.publish('sdn_2026-02-04.csv', changedPerson + sdnCsv)
  const again = screening.told()
  expect(again.map(({ session_id }) => session_id).sort()).toEqual(
    [first.session_id, second.session_id].sort(),
  )
  expect(again).toMatchObject([
    { status: 'warning', monitoring: true },
    { status: 'warning', monitoring: true },
  ])
})

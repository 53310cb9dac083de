import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { newId } from '@kyc/runtime'
import request from 'supertest'
import { sdnCsv } from './fixtures/ofac.ts'
import { listedName, Screening } from './screening-harness.ts'

let screening: Screening
beforeAll(async () => {
  screening = await Screening.start({ 'sdn_2026-02-01.csv': sdnCsv })
})
afterAll(() => screening.stop())

const person = { full_name: 'Orsolya Wendtbrook' }
const addedEntry = '71000,"UBYCHANIN, Ondrej","individual","SDGT",-0- ,-0- ,-0- ,-0- ,-0- ,-0- ,-0- ,-0- \r\n'
const updates = {
  first: ['sdn_2026-02-02.csv', addedEntry + sdnCsv],
  second: ['sdn_2026-02-03.csv', addedEntry.replace('"SDGT"', '"SDGT] [IFSR"') + sdnCsv],
} as const

describe.each<[string, object, object, readonly [string, string]]>([
  ['/v1/checks/aml', { full_name: listedName }, person, updates.first],
  [
    '/v1/checks/aml/batch',
    { names: [{ id: '1', full_name: listedName }] },
    { names: [{ id: '2', ...person }] },
    updates.second,
  ],
])('POST %s under an idempotency key', (path, body, otherBody, [file, content]) => {
  const send = async (caller: { app_id: string; key_id: string }, sent: object) => {
    const { status, headers, text } = await request(screening.harness.service.app)
      .post(path)
      .set(await screening.harness.identity(caller))
      .set('idempotency-key', 'screening')
      .send(sent)
      .buffer(true)
      .parse((response, done) => {
        const chunks: Buffer[] = []
        response.on('data', (chunk: Buffer) => chunks.push(chunk))
        response.on('end', () => done(null, Buffer.concat(chunks).toString()))
      })
      .then((answer) => ({
        ...answer,
        status: answer.status,
        headers: answer.headers,
        text: String(answer.body),
      }))
    return { status, text, replayed: headers['idempotent-replayed'] === 'true' }
  }

  test('replays the same bytes while the lists are unchanged, and stores no response body', async () => {
    const caller = { app_id: newId('app'), key_id: newId('api_key') }
    const first = await send(caller, body)
    screening.harness.clock.advance({ hours: 2 })
    const replayed = await send(caller, body)
    expect(first).toMatchObject({ status: 200, replayed: false })
    expect(first.text).toContain('"matches":[{')
    expect(replayed).toEqual({ ...first, replayed: true })
    expect(await send(caller, otherBody)).toMatchObject({ status: 409, replayed: false })
    const { rows } = await screening.harness.database.query(
      'SELECT status, session_id, sealed_body FROM idempotent_reply WHERE app_id = $1',
      [caller.app_id],
    )
    expect(rows).toEqual([{ status: 200, session_id: null, sealed_body: null }])
  })

  test('is screened again when a list has changed since, and not labelled as a replay', async () => {
    const caller = { app_id: newId('app'), key_id: newId('api_key') }
    const first = await send(caller, body)
    screening.harness.clock.advance({ hours: 1 })
    await screening.publishList(file, content)
    const repeated = await send(caller, body)
    expect(repeated).toMatchObject({ status: 200, replayed: false })
    expect(repeated.text).not.toBe(first.text)
  })
})

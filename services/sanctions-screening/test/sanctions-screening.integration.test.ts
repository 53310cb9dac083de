import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { amlAnswer, getListStatus } from '@kyc/common'
import { loadConfig } from '@kyc/runtime'
import { type ServiceHarness, startService } from '@kyc/testing'
import request from 'supertest'
import { sanctionsScreeningSchema, sanctionsScreeningService, sanctionsSettings } from '../src/service.ts'
import { addCsv, altCsv, sdnCsv } from './fixtures/ofac.ts'
import { unXml } from './fixtures/un.ts'

let folder: string
let harness: ServiceHarness

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kyc-lists-'))
  await mkdir(join(folder, 'ofac'))
  await writeFile(join(folder, 'ofac', 'first'), sdnCsv)
  await writeFile(join(folder, 'ofac', 'second'), altCsv)
  await writeFile(join(folder, 'ofac', 'third'), addCsv)
  await writeFile(join(folder, 'nations.xml'), unXml)
  await writeFile(join(folder, 'proxy.html'), '<!DOCTYPE html><html><body>Sign in</body></html>')
  const config = loadConfig(sanctionsSettings, { SANCTIONS_DIR: folder })
  harness = await startService('sanctions-screening', sanctionsScreeningSchema, (deps) =>
    sanctionsScreeningService(deps, config),
  )
})

afterAll(async () => {
  await harness?.close()
  await rm(folder, { recursive: true, force: true })
})

async function screen(body: object) {
  return request(harness.service.app)
    .post('/v1/checks/aml')
    .set(await harness.identity())
    .send(body)
}

describe('POST /v1/checks/aml over a folder of lists', () => {
  test('finds a listed person by primary name in any word order, on every list', async () => {
    const answer = await screen({ full_name: 'Tarsidian Velmoor Ashkan' })
    expect(answer.status).toBe(200)
    const { matches, lists, warnings } = amlAnswer.parse(answer.body)
    expect(matches.map((match) => [match.list, match.entity_id])).toEqual(
      expect.arrayContaining([
        ['us_ofac_sdn', '70001'],
        ['un_sc', 'QDi.9001'],
      ]),
    )
    expect(lists.map((list) => [list.list, list.entity_count, list.status])).toEqual([
      ['us_ofac_sdn', 5, 'ok'],
      ['un_sc', 2, 'ok'],
    ])
    expect(warnings).toEqual([])
  })

  test('finds aliases from another file of the folder and from the remarks', async () => {
    const [alias, weak] = await Promise.all([
      screen({ full_name: 'Velmour Tarsidyan' }),
      screen({ full_name: 'Prill Oddmeer' }),
    ])
    expect(alias.body.matches[0]).toMatchObject({ matched_name_type: 'alias' })
    expect(weak.body.matches[0]).toMatchObject({ entity_id: '70005', dates_of_birth: ['1951/1953'] })
  })

  test('reports whether the entry has the nationality', async () => {
    const answer = await screen({ full_name: 'Velmoor Ashkan Tarsidian', nationality: 'SYR' })
    const found = answer.body.matches.find((match: { list: string }) => match.list === 'us_ofac_sdn')
    expect(found).toMatchObject({ nationality_match: true, nationalities: ['IRN', 'PRK', 'SYR'] })
  })

  test('returns no match for an unlisted name', async () => {
    const answer = await screen({ full_name: 'Ondrej Ubychanin' })
    expect(answer.body.matches).toEqual([])
  })

  test('rejects a caller without an identity from the gateway', async () => {
    const answer = await request(harness.service.app).post('/v1/checks/aml').send({ full_name: 'x y' })
    expect(answer.status).toBe(401)
  })

  test('names the invalid field', async () => {
    const answer = await screen({ full_name: 'a'.repeat(301) })
    expect(answer.status).toBe(400)
    expect(answer.body.error.message).toContain('full_name')
  })
})

describe('POST /v1/checks/aml/batch', () => {
  test('streams one answer per line, in the order of the names', async () => {
    const names = Array.from({ length: 40 }, (_, i) => ({
      id: `n${i}`,
      full_name: i % 2 === 0 ? 'Velmoor Ashkan Tarsidian' : 'Ondrej Ubychanin',
    }))
    const answer = await request(harness.service.app)
      .post('/v1/checks/aml/batch')
      .set(await harness.identity())
      .send({ names })
      .buffer(true)
      .parse((response, done) => {
        let text = ''
        response.on('data', (chunk: Buffer) => {
          text += chunk.toString()
        })
        response.on('end', () => done(null, text))
      })
    expect(answer.headers['content-type']).toContain('application/x-ndjson')
    const lines = String(answer.body)
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(lines.map((line) => line.id)).toEqual(names.map((name) => name.id))
    expect(lines.map((line) => line.matches.length > 0)).toEqual(names.map((_, i) => i % 2 === 0))
  })
})

describe('list status', () => {
  test('reports loaded lists and rejected files over the bus, with reasons', async () => {
    const { lists, refused_files } = await harness.bus.request(getListStatus, {})
    expect(lists.map(({ list, status, failure }) => [list, status, failure])).toEqual([
      ['us_ofac_sdn', 'ok', undefined],
      ['un_sc', 'ok', undefined],
    ])
    expect(refused_files).toEqual([
      { path: 'proxy.html', code: 'html', message: expect.stringMatching(/\S/) },
    ])
  })
})

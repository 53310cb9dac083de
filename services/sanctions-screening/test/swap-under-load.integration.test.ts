import { createServer } from 'node:http'
import { expect, test } from '@jest/globals'
import { amlAnswer } from '@kyc/common'
import supertest from 'supertest'
import { manySdnCsv } from './fixtures/ofac.ts'
import { Screening } from './screening-harness.ts'

test('answers every request while lists are replaced, each from one version of the list', async () => {
  const screening = await Screening.start({ 'sdn_2026-02-01.csv': manySdnCsv(300) })
  const headers = await screening.harness.identity()
  const server = createServer(screening.harness.service.app).listen(0, '127.0.0.1')
  const api = supertest(server)
  const seen = new Set<string>()
  let answers = 0
  let done = false
  const client = async () => {
    while (!done) {
      const { status, body } = await api
        .post('/v1/checks/aml')
        .set(headers)
        .send({ full_name: 'CIDOOV CUCU' })
      expect(status).toBe(200)
      const { lists, matches } = amlAnswer.parse(body)
      expect(lists).toHaveLength(1)
      expect(lists[0]?.status).toBe('ok')
      for (const match of matches) expect(match.list_version).toBe(lists[0]?.version)
      seen.add(`${lists[0]?.version} ${lists[0]?.entity_count}`)
      answers += 1
    }
  }
  const load = Promise.all(Array.from({ length: 6 }, client))
  try {
    for (const day of [2, 3, 4])
      await screening.publishList(`sdn_2026-02-0${day}.csv`, manySdnCsv(300 + 10 * day))
    while (!done) {
      const { body } = await api.post('/v1/checks/aml').set(headers).send({ full_name: 'x y' })
      done = body.lists[0].entity_count === 340
    }
  } finally {
    done = true
    await load
    server.close()
    await screening.stop()
  }
  expect(answers).toBeGreaterThan(50)
  const counts = [...seen].map((version) => Number(version.split(' ')[1]))
  expect(counts.every((count) => [300, 320, 330, 340].includes(count))).toBe(true)
  expect(counts.length).toBeGreaterThan(1)
}, 60_000)

import { createHash, generateKeyPairSync, sign } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { amlAnswer, getListStatus, refreshLists } from '@kyc/common'
import supertest from 'supertest'
import { manySdnCsv } from './fixtures/ofac.ts'
import { Screening } from './screening-harness.ts'

const signer = generateKeyPairSync('ed25519')
let keys: string
let settings: Record<string, string>

beforeAll(async () => {
  keys = await mkdtemp(join(tmpdir(), 'kyc-pack-keys-'))
  const file = join(keys, 'pack-key.pub')
  await writeFile(file, signer.publicKey.export({ type: 'spki', format: 'pem' }))
  settings = { SANCTIONS_PACK_KEY_FILE: file }
})
afterAll(() => rm(keys, { recursive: true }))

function signed(lists: Record<string, string>, privateKey = signer.privateKey) {
  const sums = Object.entries(lists)
    .map(([path, content]) => `${createHash('sha256').update(content).digest('hex')}  ./${path}\n`)
    .join('')
  return { ...lists, SHA256SUMS: sums, 'SHA256SUMS.sig': sign(null, Buffer.from(sums), privateKey) }
}

async function entityCounts(screening: Screening): Promise<(number | undefined)[]> {
  const api = supertest(screening.harness.service.app)
  const headers = await screening.harness.identity()
  const { body } = await api.post('/v1/checks/aml').set(headers).send({ full_name: 'CIDOOV CUCU' })
  return amlAnswer.parse(body).lists.map((list) => list.entity_count)
}

test('loads only files signed with the key, and reports the rejected ones', async () => {
  const first = { 'sdn_2026-02-01.csv': manySdnCsv(300) }
  const screening = await Screening.start(signed(first), settings)
  try {
    expect(await entityCounts(screening)).toEqual([300])

    // A newer, unsigned list: the folder is read again, and the list is rejected.
    const second = { ...first, 'sdn_2026-02-02.csv': manySdnCsv(310) }
    await screening.writeListFile('sdn_2026-02-02.csv', second['sdn_2026-02-02.csv'])
    const { bus } = screening.harness
    await bus.request(refreshLists, {})
    const refusals = async () => (await bus.request(getListStatus, {})).refused_files
    while ((await refusals()).length === 0) await new Promise((resume) => setTimeout(resume, 20))
    expect(await refusals()).toEqual([
      expect.objectContaining({ path: 'sdn_2026-02-02.csv', code: 'not_signed' }),
    ])
    expect(await entityCounts(screening)).toEqual([300])

    const pack = signed(second)
    await screening.writeListFile('SHA256SUMS', pack.SHA256SUMS)
    await screening.publishList('SHA256SUMS.sig', pack['SHA256SUMS.sig'], '2026-02-02')
    expect(await entityCounts(screening)).toEqual([310])
  } finally {
    await screening.stop()
  }
}, 60_000)

test('loads nothing from a pack signed with another key', async () => {
  const stranger = generateKeyPairSync('ed25519').privateKey
  const screening = await Screening.start(
    signed({ 'sdn_2026-02-01.csv': manySdnCsv(300) }, stranger),
    settings,
  )
  try {
    expect(await entityCounts(screening)).toEqual([])
  } finally {
    await screening.stop()
  }
})

test('does not start when the configured key file is missing', async () => {
  const missing = { SANCTIONS_PACK_KEY_FILE: join(keys, 'none.pub') }
  await expect(Screening.start({ 'sdn.csv': manySdnCsv(3) }, missing)).rejects.toThrow('none.pub')
})

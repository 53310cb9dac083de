import { readFileSync } from 'node:fs'
import { beforeAll, describe, expect, test } from '@jest/globals'
import { sharedDir } from '@kyc/testing'
import { loadList } from '../../lists/load-list.ts'
import { listFileOnDisk } from '../../lists/source.ts'
import type { SanctionsList } from '../entity.ts'
import { buildIndex, type ScreeningIndex, screen } from './index.ts'

const truth = sharedDir('data', 'sanctions', 'truth.jsonl')
const folder = sharedDir('data', 'sanctions', 'lists')
if (truth === null || folder === null)
  console.warn('skipped: the sanctions truth set is not available (KYC_SHARED_DIR)')

type Row = {
  query: string
  expect: string[]
  kind: string
  subkind?: string
}

async function readLists(from: string): Promise<SanctionsList[]> {
  const file = (path: string) => listFileOnDisk(`${from}/${path}`)
  const now = '2026-01-01T00:00:00Z'
  const ofac = {
    main: await file('ofac_2024-05-03/sdn.csv'),
    aliases: await file('ofac_2024-05-03/alt_2025-02-27.csv'),
  }
  const un = { main: await file('un/un_consolidated_2026-02-27.xml') }
  return [await loadList('ofac_csv', ofac, now), await loadList('un_xml', un, now)]
}

const describeWithTruth = truth === null || folder === null ? describe.skip : describe

describeWithTruth('on the real lists', () => {
  let lists: SanctionsList[] = []
  let index: ScreeningIndex = buildIndex([])
  let rows: Row[] = []

  beforeAll(async () => {
    lists = await readLists(folder ?? '')
    index = buildIndex(lists)
    rows = readFileSync(truth ?? '', 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Row)
      .filter(({ kind }) => kind !== 'pair')
  })

  function isHit(row: Row, floor: number): boolean {
    const matches = screen(index, { full_name: row.query }, { floor, limit: 10 })
    if (row.expect.length === 0) return matches.length > 0
    return matches.some(({ list, entity_id }) =>
      row.expect.includes(`${list === 'un_sc' ? 'un' : 'ofac'}:${entity_id}`),
    )
  }
  const shareOf = (chosen: Row[], floor: number) =>
    chosen.filter((row) => isHit(row, floor)).length / chosen.length
  const positives = () => rows.filter((row) => row.expect.length > 0)
  const negatives = () => rows.filter((row) => row.expect.length === 0)

  test.each([
    [0.8, 0.95, 0.01],
    [0.82, 0.94, 0.007],
  ])(
    'at floor %d, recall is at least %d and the false-positive rate at most %d',
    (floor, recall, falsePositiveRate) => {
      expect(shareOf(positives(), floor)).toBeGreaterThanOrEqual(recall)
      expect(shareOf(negatives(), floor)).toBeLessThanOrEqual(falsePositiveRate)
    },
  )

  test.each([
    ['original-script', 0.95],
    ['initial', 0.8],
    ['uk-spelling', 0.85],
  ])('%s: at least %d', (subkind, recall) => {
    expect(
      shareOf(
        positives().filter((row) => row.subkind === subkind),
        0.8,
      ),
    ).toBeGreaterThanOrEqual(recall)
  })

  test('every tenth primary name matches its entity with score 1', () => {
    for (const entity of lists.flatMap((list) => list.entities).filter((_, i) => i % 10 === 0)) {
      const matches = screen(index, { full_name: entity.names[0]?.full ?? '' }, { floor: 0.8, limit: 10 })
      expect(matches[0]?.score).toBe(1)
      expect(matches.filter(({ score }) => score === 1).map(({ entity_id }) => entity_id)).toContain(
        entity.id,
      )
    }
  })
})

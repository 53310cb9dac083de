import { readFile } from 'node:fs/promises'
import type { SanctionsList } from '../../../services/sanctions-screening/src/domain/entity.ts'
import { buildIndex, screen } from '../../../services/sanctions-screening/src/domain/matching/index.ts'
import { unpackEntities } from '../../../services/sanctions-screening/src/lists/stored-form.ts'
import { readTruth } from './screening-truth.ts'

/** The matcher in a separate process, from the stored form to all queries of the truth set; prints its memory use. */
const [truth = '', ...stored] = process.argv.slice(2)
const empty = process.memoryUsage().rss
const lists: SanctionsList[] = []
for (const path of stored) {
  const list = JSON.parse(await readFile(`${path}.json`, 'utf8')) as SanctionsList
  lists.push({ ...list, entities: await unpackEntities(await readFile(`${path}.gz`)) })
}
const index = buildIndex(lists)
const built = process.memoryUsage().rss
for (const { query } of readTruth(truth)) screen(index, { full_name: query }, { floor: 0.8, limit: 10 })
process.stdout.write(JSON.stringify({ empty, built, asked: process.memoryUsage().rss }))

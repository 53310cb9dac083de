import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { sharedDir } from '@kyc/testing'
import type { EntityType, SanctionsList } from '../../services/sanctions-screening/src/domain/entity.ts'
import {
  buildIndex,
  type ScreeningIndex,
  screen,
} from '../../services/sanctions-screening/src/domain/matching/index.ts'
import { packEntities, unpackEntities } from '../../services/sanctions-screening/src/lists/stored-form.ts'
import { listOfOne, multiplyLists, truthLists } from './support/screening-lists.ts'
import { type Count, countAnswers, f1, readTruth, share, type TruthRow } from './support/screening-truth.ts'

export const name = 'screening'

const floors = [0.8, 0.82] as const
const limit = 10

/**
 * Quoted results for the same rows, measured elsewhere: Watchman (Go) and nomenklatura's logic-v1 and logic-v2.
 * Recall / false hits.
 */
const quoted = [
  { matcher: 'Watchman, default weights (quoted)', at080: '.362 / .000', at082: '' },
  { matcher: 'Watchman, score multipliers set to 1 (quoted)', at080: '.844 / .014', at082: '' },
  { matcher: 'OpenSanctions logic-v1 (quoted)', at080: '.794 / .003', at082: '' },
  { matcher: 'OpenSanctions logic-v2 (quoted)', at080: '.899 / .010', at082: '' },
]
/** Quoted results of nomenklatura 4.17.4 with its default configuration on the same labelled pairs. */
const quotedPairs = [
  {
    matcher: 'OpenSanctions logic-v1 (quoted)',
    f1: { '0.7': 0.771, '0.75': 0.734, '0.8': 0.741, '0.82': 0.697 },
  },
  {
    matcher: 'OpenSanctions logic-v2 (quoted)',
    f1: { '0.7': 0.802, '0.75': 0.79, '0.8': 0.779, '0.82': 0.786 },
  },
]
const pairThresholds = ['0.7', '0.75', '0.8', '0.82'] as const

/**
 * Recall, false hits, labelled pairs, speed and memory of the matcher on real lists, in one thread. For the
 * service's process see `screening-http`.
 */
export async function run(): Promise<string> {
  const truth = sharedDir('data', 'sanctions', 'truth.jsonl')
  const folder = sharedDir('data', 'sanctions', 'lists')
  if (truth === null || folder === null)
    return '## Screening\n\nSkipped: the truth set is not here (KYC_SHARED_DIR).'
  const rows = readTruth(truth)
  const queries = rows.filter(({ kind }) => kind !== 'pair')
  const published = await truthLists(folder)
  const { lines: built, index, lists } = await buildFromStoredForm(published)
  warmUp(index, lists)
  const fast = [
    ...speed('Queries of the truth set, most words seen for the first time', index, queries),
    ...speed('The same queries again', index, queries),
  ]
  return [
    '## Screening',
    '',
    ...accuracy(index, queries),
    '',
    ...labelledPairs(rows.filter(({ kind }) => kind === 'pair')),
    '',
    ...built,
    ...fast,
    await ownMemory(published, truth),
    ...selfSearch(index, lists),
    ...tenfold(lists, queries),
  ].join('\n')
}

/** Warms up the JIT compiler with a few listed names. */
function warmUp(index: ScreeningIndex, lists: readonly SanctionsList[]): void {
  for (const { entities } of lists)
    for (const { names } of entities.slice(0, 300)) answer(index, names[0]!.full, 0.8)
}

function answer(index: ScreeningIndex, full_name: string, floor: number) {
  return screen(index, { full_name }, { floor, limit })
}

function accuracy(index: ScreeningIndex, queries: readonly TruthRow[]): string[] {
  const figures = floors.map((floor) => countAnswers(queries, (query) => answer(index, query, floor)))
  const [first, second] = figures
  const kinds = [...(first?.byKind.keys() ?? [])].sort()
  const cell = (count: Count | undefined) =>
    count === undefined ? '–' : `${share(count)} (${count.hits} of ${count.of})`
  return [
    `Recall / share of ${first?.falseHits.of} negatives with any hit; no entity type given.`,
    '',
    '| matcher | at 0.80 | at 0.82 |',
    '|---|---|---|',
    `| here | ${figures.map(({ recall, falseHits }) => `${share(recall)} / ${share(falseHits)}`).join(' | ')} |`,
    ...quoted.map(({ matcher, at080, at082 }) => `| ${matcher} | ${at080} | ${at082} |`),
    '',
    '| kind of query | found at 0.80 | found at 0.82 |',
    '|---|---|---|',
    ...kinds.map(
      (kind) => `| ${kind} | ${cell(first?.byKind.get(kind))} | ${cell(second?.byKind.get(kind))} |`,
    ),
  ]
}

function labelledPairs(pairs: readonly TruthRow[]): string[] {
  const scored = pairs.map((pair) => ({ score: pairScore(pair), same: pair.expect.length > 0 }))
  return [
    `F1 on ${pairs.length} labelled pairs, by threshold.`,
    '',
    `| matcher | ${pairThresholds.join(' | ')} |`,
    `|---|${pairThresholds.map(() => '---|').join('')}`,
    `| here | ${pairThresholds.map((threshold) => f1(scored, Number(threshold)).toFixed(3)).join(' | ')} |`,
    ...quotedPairs.map(
      ({ matcher, f1: by }) =>
        `| ${matcher} | ${pairThresholds.map((threshold) => by[threshold].toFixed(3)).join(' | ')} |`,
    ),
  ]
}

const typesOfSchema: Readonly<Record<string, readonly EntityType[]>> = {
  Person: ['person'],
  Vessel: ['vessel'],
  LegalEntity: ['person', 'organization'],
}

function pairScore({ query, candidate = '', schema = '' }: TruthRow): number {
  const scores = (typesOfSchema[schema] ?? ['organization']).map((type) => {
    const index = buildIndex([listOfOne(candidate, type)])
    return screen(index, { full_name: query, entity_type: type }, { floor: 0, limit: 1 })[0]?.name_score ?? 0
  })
  return Math.max(...scores)
}

async function buildFromStoredForm(published: readonly SanctionsList[]) {
  const packed = await Promise.all(published.map((list) => packEntities(list.entities)))
  const began = performance.now()
  const lists = await Promise.all(
    published.map(async (list, at) => ({ ...list, entities: await unpackEntities(packed[at]!) })),
  )
  const read = performance.now()
  const before = heapMegabytes()
  const start = { at: performance.now(), cpu: cpuMs() }
  const index = buildIndex(lists)
  const built = performance.now() - start.at
  const builtCpu = cpuMs() - start.cpu
  const memory = heapMegabytes() - before
  const entities = lists.reduce((sum, list) => sum + list.entities.length, 0)
  const names = index.person.nameCount + index.object.nameCount
  const lines = [
    `- Index of ${entities} entities, ${names} names: stored form read in ${seconds(read - began)}, built in ${seconds(built)} (CPU of all threads ${seconds(builtCpu)}), ${memory.toFixed(0)} MB beside the entities; this process, which read and packed the publishers' files too, ${megabytes(process.memoryUsage().rss)} MB.`,
  ]
  return { lines, index, lists }
}

/** Resident memory of a process that only reads the stored form, builds the index and answers queries. */
async function ownMemory(published: readonly SanctionsList[], truth: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'kyc-bench-matcher-'))
  try {
    const stored = published.map((_, at) => join(folder, String(at)))
    for (const [at, { entities, ...list }] of published.entries()) {
      await writeFile(`${stored[at]}.json`, JSON.stringify(list))
      await writeFile(`${stored[at]}.gz`, await packEntities(entities))
    }
    const script = fileURLToPath(new URL('./support/matcher-child.ts', import.meta.url))
    const { stdout } = await promisify(execFile)(process.execPath, [
      '--conditions=source',
      '--import',
      'tsx',
      script,
      truth,
      ...stored,
    ])
    const { empty, built, asked } = JSON.parse(stdout) as Record<'empty' | 'built' | 'asked', number>
    return `- A process of its own that reads the stored form, builds the index and answers all queries: ${megabytes(asked)} MB resident, ${megabytes(built)} MB once built, ${megabytes(empty)} MB before (wanted: 250).`
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Every primary name must find its entity with score 1 and in first place, except for entities of the same name. */
function selfSearch(index: ScreeningIndex, lists: readonly SanctionsList[]): string[] {
  let first = 0
  let sameName = 0
  let lost = 0
  for (const entity of lists.flatMap((list) => list.entities)) {
    const full = entity.names[0]!.full
    const matches = answer(index, full, 0.8)
    const own = matches.find((match) => match.list === entity.list && match.entity_id === entity.id)
    const [best] = matches
    if (own?.score !== 1) lost++
    else if (best === own) first++
    else sameName++
  }
  return [
    `- Primary names that find themselves: ${first} first at 1, ${sameName} at 1 behind an entity of the same name, ${lost} not.`,
  ]
}

function tenfold(lists: readonly SanctionsList[], queries: readonly TruthRow[]): string[] {
  const many = multiplyLists(lists, 10)
  const before = heapMegabytes()
  const began = performance.now()
  const index = buildIndex(many)
  const built = performance.now() - began
  const names = index.person.nameCount + index.object.nameCount
  return [
    `- Ten times that (${names} names, synthetic): built in ${seconds(built)}, ${(heapMegabytes() - before).toFixed(0)} MB.`,
    ...speed('Ten times the lists, most words seen for the first time', index, queries),
    ...speed('Ten times the lists, the same queries again', index, queries),
  ]
}

function speed(what: string, index: ScreeningIndex, queries: readonly TruthRow[]): string[] {
  const times: number[] = []
  const began = { at: performance.now(), cpu: cpuMs() }
  for (const { query } of queries) {
    const start = performance.now()
    answer(index, query, 0.8)
    times.push(performance.now() - start)
  }
  const wall = performance.now() - began.at
  const cpu = (cpuMs() - began.cpu) / queries.length
  times.sort((a, b) => a - b)
  const at = (part: number) => times[Math.min(times.length - 1, Math.floor(times.length * part))]!.toFixed(2)
  return [
    `- ${what}: p50 ${at(0.5)} ms, p99 ${at(0.99)} ms, ${Math.round((queries.length / wall) * 1000)} queries/s, CPU ${cpu.toFixed(2)} ms a query.`,
  ]
}

function cpuMs(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

/** Live heap after a full collection, including typed arrays. */
function heapMegabytes(): number {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  collect()
  const { heapUsed, arrayBuffers } = process.memoryUsage()
  return (heapUsed + arrayBuffers) / 1e6
}

const seconds = (ms: number): string => `${(ms / 1000).toFixed(2)} s`
const megabytes = (bytes: number): string => (bytes / 1e6).toFixed(0)

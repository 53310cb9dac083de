import { sharedDir } from '@kyc/testing'
import { parse } from 'mrz'
import { parseMrz } from '../../services/checks/src/domain/mrz/index.ts'
import {
  type CleanRow,
  formats,
  isCovered,
  type NoisyRow,
  readRows,
  seededNumbers,
} from './support/mrz-sets.ts'

export const name = 'mrz'

const today = new Date()
/** Number of random lines given to the parser; at most twenty per call. */
const randomLines = Number(process.env.MRZ_RANDOM_LINES ?? 1_000_000)

/** CPU time of this process in microseconds, so that other work on the machine does not count. */
const cpuMicroseconds = (): number => {
  const { user, system } = process.cpuUsage()
  return user + system
}

const percentile = (values: number[], share: number): number =>
  [...values].sort((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))]!

/** Compares exact and noisy reading on the truth sets with npm mrz; measures speed, and random lines. */
export async function run(): Promise<string> {
  const folder = sharedDir('data', 'mrz')
  if (folder === null)
    return '## MRZ\n\nSkipped: the truth sets are not beside the repository (KYC_SHARED_DIR).'
  const clean = readRows<CleanRow>(`${folder}/strings.jsonl`)
  const noise = readRows<NoisyRow>(`${folder}/noise.jsonl`)
  const substitutions = readRows<NoisyRow>(`${folder}/substitutions.jsonl`)
  return [
    '## MRZ',
    '',
    ...cleanSection(clean),
    '',
    ...noisySection({ noise, substitutions }),
    '',
    ...speedSection(clean, noise, substitutions),
    '',
    ...randomSection([...clean, ...noise]),
  ].join('\n')
}

const notCompared = new Set(['check_digits_valid', 'document_number_raw'])

function differences(row: CleanRow, correct: boolean): string[] {
  const answer = parseMrz(row.lines, { today, correct })?.document as Record<string, unknown> | undefined
  if (answer === undefined) return ['not found']
  return Object.entries(row.expect)
    .filter(([field]) => !notCompared.has(field))
    .map(([field, value]) => [field, field === 'format' ? formats[String(value)] : value] as const)
    .filter(([field, value]) => JSON.stringify(answer[field]) !== JSON.stringify(value))
    .map(([field, value]) => `${field}: ${JSON.stringify(value)} → ${JSON.stringify(answer[field])}`)
}

function cleanSection(rows: CleanRow[]): string[] {
  const without = rows.filter((row) => differences(row, false).length > 0).length
  const corrected = rows
    .map((row) => ({ row, list: differences(row, true) }))
    .filter(({ list }) => list.length > 0)
  return [
    `Clean strings, every field and flag: ${rows.length - without} of ${rows.length} as they stand, ` +
      `${rows.length - corrected.length} with correction. The truth is a splitter that corrects nothing; with correction these differ,`,
    'each because a misreading was put right (all digits then hold) or a state code had a digit:',
    '',
    ...corrected.map(({ row, list }) => `- ${row.id} (${row.tags.join(', ')}): ${list.join('; ')}`),
  ]
}

interface Score {
  exact: number
  validButWrong: number
  provenButWrong: number
}

function score(rows: NoisyRow[], read: (row: NoisyRow) => { lines: string[]; valid: boolean } | null): Score {
  const result: Score = { exact: 0, validButWrong: 0, provenButWrong: 0 }
  for (const row of rows) {
    const answer = read(row)
    if (answer === null) continue
    const wrong = row.expect_lines.flatMap((text, line) =>
      [...text].flatMap((character, position) =>
        character === answer.lines[line]?.[position] ? [] : [{ line, position }],
      ),
    )
    const sameShape = row.expect_lines.every((text, line) => text.length === answer.lines[line]?.length)
    if (wrong.length === 0 && sameShape) result.exact++
    else if (answer.valid) {
      result.validButWrong++
      if (wrong.some(({ line, position }) => isCovered(row.format, line, position))) result.provenButWrong++
    }
  }
  return result
}

const readHere = ({ lines }: NoisyRow) => parseMrz(lines, { today })?.document ?? null

function readByPeer({ lines }: NoisyRow): { lines: string[]; valid: boolean } | null {
  try {
    const { details, valid } = parse(lines, { autocorrect: true })
    const characters = lines.map((line) => [...line])
    for (const { autocorrect } of details) {
      for (const { line, column, corrected } of autocorrect ?? []) characters[line]![column] = corrected
    }
    return { lines: characters.map((line) => line.join('')), valid }
  } catch {
    return null
  }
}

function noisySection(sets: Record<string, NoisyRow[]>): string[] {
  const rows = Object.entries(sets).flatMap(([set, list]) =>
    [
      { who: 'here', ...score(list, readHere) },
      { who: 'npm mrz 5.0.2, autocorrect', ...score(list, readByPeer) },
    ].map(
      ({ who, exact, validButWrong, provenButWrong }) =>
        `| ${set} (${list.length}) | ${who} | ${((100 * exact) / list.length).toFixed(1)} % | ${validButWrong} | ${provenButWrong} |`,
    ),
  )
  return [
    '| set | reader | all lines exact | valid but any character wrong | of these, where a check digit covers it |',
    '|---|---|---|---|---|',
    ...rows,
  ]
}

function microsecondsPerCall(rows: { lines: string[] }[], call: (lines: string[]) => unknown): number {
  const rounds = 40
  let best = Number.POSITIVE_INFINITY
  for (let repeat = 0; repeat < 5; repeat++) {
    const start = cpuMicroseconds()
    for (let round = 0; round < rounds; round++) for (const { lines } of rows) call(lines)
    best = Math.min(best, (cpuMicroseconds() - start) / (rounds * rows.length))
  }
  return best
}

function timesOf(rows: { lines: string[] }[]): number[] {
  for (const { lines } of rows) parseMrz(lines, { today })
  return rows.map(({ lines }) => {
    let best = Number.POSITIVE_INFINITY
    for (let repeat = 0; repeat < 5; repeat++) {
      const start = cpuMicroseconds()
      parseMrz(lines, { today })
      best = Math.min(best, cpuMicroseconds() - start)
    }
    return best / 1_000
  })
}

function speedSection(clean: CleanRow[], noise: NoisyRow[], substitutions: NoisyRow[]): string[] {
  const valid = clean.filter((row) => row.expect.valid === true && differences(row, true).length === 0)
  const ours = microsecondsPerCall(valid, (lines) => parseMrz(lines, { today }))
  const peer = microsecondsPerCall(valid, (lines) => readByPeerOnly(lines))
  const times = [...timesOf(noise), ...timesOf(substitutions)]
  return [
    `Processor time: a clean parse ${ours.toFixed(1)} µs, npm mrz 5.0.2 ${peer.toFixed(1)} µs (${(peer / ours).toFixed(1)} times); a noisy one ` +
      `${percentile(times, 0.5).toFixed(2)} ms at the median, ${percentile(times, 0.99).toFixed(2)} ms at p99, ${percentile(times, 1).toFixed(2)} ms at most.`,
  ]
}

function readByPeerOnly(lines: string[]): unknown {
  try {
    return parse(lines)
  } catch {
    return null
  }
}

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789<<<<<<<<<< kl«ß\u0130|.'

function randomSection(rows: { lines: string[] }[]): string[] {
  const below = seededNumbers(20_260_101)
  const randomLine = (): string =>
    Array.from({ length: below(201) }, () => alphabet[below(alphabet.length)]).join('')
  const mutated = (line: string): string => {
    const characters = [...line]
    for (let edits = below(8); edits > 0; edits--) {
      characters.splice(
        below(characters.length + 1),
        below(3),
        alphabet[below(alphabet.length)]!.repeat(below(3)),
      )
    }
    return characters.join('').slice(0, 200)
  }
  let lines = 0
  let calls = 0
  let slowest = 0
  const start = cpuMicroseconds()
  while (lines < randomLines) {
    const count = 1 + below(20)
    const input = Array.from({ length: count }, () => {
      const source = rows[below(rows.length)]!.lines
      return below(3) === 0 ? randomLine() : mutated(source[below(source.length)]!)
    })
    let time = timeOf(input)
    // Garbage collection and other processes interrupt, so an input counts as slow only if it is slow every time.
    for (let again = 0; again < 5 && time > slowest; again++) time = Math.min(time, timeOf(input))
    slowest = Math.max(slowest, time)
    lines += count
    calls++
  }
  return [
    `${lines.toLocaleString('en')} random and mutated lines in ${calls.toLocaleString('en')} calls: no exception; ` +
      `the slowest call ${slowest.toFixed(1)} ms of processor time, the mean ${((cpuMicroseconds() - start) / calls / 1_000).toFixed(2)} ms.`,
  ]
}

function timeOf(lines: string[]): number {
  const start = cpuMicroseconds()
  parseMrz(lines, { today })
  return (cpuMicroseconds() - start) / 1_000
}

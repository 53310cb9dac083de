import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { defaultWorkflowConfig } from '@kyc/common'
import { createModelStore, silentLogger } from '@kyc/runtime'
import { modelsDir, sharedDir } from '@kyc/testing'
import { interpretCodes } from '../../services/checks/src/domain/document/barcode.ts'
import { evaluateDocument } from '../../services/checks/src/domain/document/evaluate-document.ts'
import type { SideReading } from '../../services/checks/src/domain/document/side-reading.ts'
import { ReadingEngine, type ReadingModels } from '../../services/checks/src/reading/engine.ts'
import { readDocument } from '../../services/checks/src/reading/read-document.ts'
import { warmUp } from '../../services/checks/src/reading/warm-up.ts'

export const name = 'documents'

const today = new Date()
/** Reads every n-th photo of a set; 1 reads all. */
const every = Number(process.env.DOCUMENTS_EVERY ?? 1)

interface Truth {
  readonly file: string
  readonly mrz: string
  readonly fields: Readonly<Record<string, string>>
}

interface Outcome {
  readonly exact: boolean
  /** Read exactly, with matching check digits and no uncertain field. */
  readonly certain: boolean
  /** Check digits match, but lines are wrong. */
  readonly wrongDigitsHold: boolean
  /** The same, and without any warning. */
  readonly silentlyWrong: boolean
  /** The documents are genuine, so a suspicion is a false alarm. */
  readonly screenSuspected: boolean
  readonly portraitFound: boolean
  readonly fieldsRight: number
  readonly fields: number
  readonly cpuMs: number
}

/** Reads the photos and specimens of the truth set: counts exact readings, errors with a warning, and the cost. */
export async function run(keep: (section: string) => void = () => {}): Promise<string> {
  const folder = sharedDir('data', 'mrz')
  if (!folder) return `## ${name}\n\nskipped: the truth set is not here (KYC_SHARED_DIR)`
  const models = await modelFiles()
  // Either `v6` or `v4`; both if not set.
  const only = process.env.DOCUMENTS_MODELS
  const variants: [string, ReadingModels][] = [
    ['built-in (PP-OCRv4)', { ...models, detection: null, recognition: null }],
  ]
  if (models.detection && models.recognition) variants.unshift(['PP-OCRv6 small', models])
  const rows: string[] = []
  for (const [label, files] of variants) {
    if (only !== undefined && !label.includes(only)) continue
    const engine = await ReadingEngine.open(files)
    await warmUp(engine)
    for (const set of ['photos', 'specimens']) {
      const truths = readTruths(join(folder, `${set}.csv`)).filter((_, i) => i % every === 0)
      const outcomes: Outcome[] = []
      let peak = 0
      for (const truth of truths) {
        outcomes.push(await measure(engine, join(folder, set, truth.file), truth))
        peak = Math.max(peak, process.memoryUsage().rss)
        // Reading all of them takes long; if interrupted, the results so far remain.
        if (outcomes.length % PROGRESS_EVERY === 0 && outcomes.length < truths.length) {
          const soFar = row(
            `${label}, ${set}, the first ${outcomes.length} of ${truths.length}`,
            outcomes,
            peak,
          )
          process.stderr.write(`${soFar}\n`)
          keep(section(models, [...rows, soFar]))
        }
      }
      const whole = row(`${label}, ${set}`, outcomes, peak)
      process.stderr.write(`${whole}\n`)
      rows.push(whole)
      keep(section(models, rows))
    }
    await engine.close()
  }
  return section(models, rows)
}

const PROGRESS_EVERY = 10

const section = (models: ReadingModels, rows: readonly string[]): string =>
  [
    `## ${name}`,
    '',
    `second reader: ${models.secondReader ? 'Tesseract `mrz`' : 'none'}; one thread; CPU as user plus system time of the process`,
    '',
    '| set | exact MRZ | exact and certain | digits hold, yet wrong | of these untold | visual fields | screen suspected | portrait found | CPU s: mean | p95 | peak MB |',
    '|---|---|---|---|---|---|---|---|---|---|---|',
    ...rows,
  ].join('\n')

async function modelFiles(): Promise<ReadingModels> {
  const directory = modelsDir()
  if (!directory) return { detection: null, recognition: null, secondReader: null, faces: null }
  const store = createModelStore({ directory, logger: silentLogger })
  const path = async (model: string) => (await store.resolve(model))?.path ?? null
  return {
    detection: await path('ppocr_v6_det'),
    recognition: await path('ppocr_v6_rec'),
    secondReader: await path('tesseract_mrz'),
    faces: (await path('yunet_dynamic')) ?? (await path('yunet')),
  }
}

const visualFields = ['surname', 'given_names', 'document_number', 'birth_date', 'expiry_date'] as const

/** The columns that are needed contain no commas or quotes. */
function readTruths(path: string): Truth[] {
  const [header = '', ...lines] = readFileSync(path, 'utf8').trim().split('\n')
  const columns = header.split(',')
  return lines.map((line) => {
    const cells = line.split(',')
    const cell = (column: string) => cells[columns.indexOf(column)] ?? ''
    const fields = columns.includes('surname')
      ? Object.fromEntries(
          visualFields.map((field) => [field, cell(field)]).filter(([, value]) => value !== ''),
        )
      : {}
    return { file: cell('file'), mrz: cell('mrz'), fields }
  })
}

const normal = (text: string) => text.toUpperCase().replace(/[^A-Z0-9]/g, '')

async function measure(engine: ReadingEngine, path: string, truth: Truth): Promise<Outcome> {
  const bytes = readFileSync(path)
  const before = process.cpuUsage()
  const { codes, ...scanned } = await readDocument(engine, bytes, { today })
  const { user, system } = process.cpuUsage(before)
  const reading: SideReading = { ...scanned, barcode: interpretCodes(codes, []) }
  const verdict = evaluateDocument({
    sides: [{ side: 'front', capture_method: 'camera', reading }],
    declaredType: null,
    declaredCountry: null,
    config: { ...defaultWorkflowConfig().steps.document, require_back: false },
    today,
  })
  const exact = reading.mrz?.document.lines.join('|') === truth.mrz
  const holds = reading.mrz?.holds === true
  const told = verdict.warnings.some(({ code }) =>
    ['field_missing', 'mrz_visual_mismatch', 'mrz_checksum_failed'].includes(code),
  )
  const fields = Object.entries(truth.fields)
  const fieldsRight = fields.filter(
    ([field, value]) =>
      normal(reading.visual[field as keyof typeof reading.visual]?.value ?? '') === normal(value),
  )
  if (process.env.DOCUMENTS_VERBOSE && (!exact || fieldsRight.length < fields.length)) {
    const wrong = fields.filter((field) => !fieldsRight.includes(field)).map(([field]) => field)
    process.stderr.write(
      `${truth.file}: ${exact ? 'exact' : `MRZ ${holds ? 'holds, wrong' : 'wrong'}`} ${wrong.join(' ')}\n`,
    )
    if (!exact) process.stderr.write(`  ${truth.mrz}\n  ${reading.mrz?.document.lines.join('|')}\n`)
  }
  return {
    exact,
    certain: exact && holds && !told,
    wrongDigitsHold: !exact && holds,
    silentlyWrong: !exact && holds && !told,
    screenSuspected: verdict.warnings.some(({ code }) => code === 'screen_capture_suspected'),
    portraitFound: reading.portrait != null,
    fieldsRight: fieldsRight.length,
    fields: fields.length,
    cpuMs: (user + system) / 1000,
  }
}

function row(label: string, outcomes: readonly Outcome[], peakBytes: number): string {
  const count = (
    key: 'exact' | 'certain' | 'wrongDigitsHold' | 'silentlyWrong' | 'screenSuspected' | 'portraitFound',
  ) => outcomes.filter((outcome) => outcome[key]).length
  const sum = (key: 'fieldsRight' | 'fields' | 'cpuMs') =>
    outcomes.reduce((total, outcome) => total + outcome[key], 0)
  const sorted = outcomes.map((outcome) => outcome.cpuMs).sort((a, b) => a - b)
  const p95 = sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * 0.95))] ?? 0
  const fields = sum('fields')
  return `| ${[
    label,
    `${count('exact')} of ${outcomes.length}`,
    count('certain'),
    count('wrongDigitsHold'),
    count('silentlyWrong'),
    fields === 0
      ? '–'
      : `${sum('fieldsRight')} of ${fields} (${((100 * sum('fieldsRight')) / fields).toFixed(1)} %)`,
    count('screenSuspected'),
    count('portraitFound'),
    (sum('cpuMs') / outcomes.length / 1000).toFixed(2),
    (p95 / 1000).toFixed(2),
    Math.round(peakBytes / 1e6),
  ].join(' | ')} |`
}

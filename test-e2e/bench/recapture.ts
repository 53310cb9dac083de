import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { sharedDir } from '@kyc/testing'
import {
  measureScreenPattern,
  SCREEN_PATTERN_THRESHOLD,
} from '../../services/checks/src/domain/document/screen-pattern.ts'
import { decodeImage, type Raster } from '../../services/checks/src/reading/raster.ts'
import { type Recapture, recapturePrint, recaptureScreen } from './support/recapture.ts'

export const name = 'recapture'

/** Every n-th photo is recaptured from a screen and from a print. */
const every = Number(process.env.RECAPTURE_EVERY ?? 20)

const screens: Recapture[] = [
  { scale: 1.25, angle: 3, blur: 0.5, quality: 90 },
  { scale: 1.6, angle: 7, blur: 0.6, quality: 85 },
  { scale: 2.1, angle: 2, blur: 0.8, quality: 80 },
  { scale: 2.7, angle: 11, blur: 1, quality: 80 },
  { scale: 3.4, angle: 5, blur: 1.2, quality: 75 },
  { scale: 2.1, angle: 0, blur: 0.8, quality: 80 },
]
const prints: Recapture[] = [
  { scale: 3.2, angle: 2, blur: 0.6, quality: 85 },
  { scale: 4.5, angle: 5, blur: 0.8, quality: 80 },
  { scale: 7, angle: 3, blur: 1, quality: 80 },
]

/** Regular patterns in genuine pictures (false alarms) and in simulated photos of screens and prints of them. */
export async function run(keep: (section: string) => void = () => {}): Promise<string> {
  const folder = sharedDir('data', 'mrz')
  if (!folder) return `## ${name}\n\nskipped: the truth set is not here (KYC_SHARED_DIR)`
  const rows: string[] = []
  const photos = files(join(folder, 'photos'))
  for (const [label, set] of [
    ['photos, genuine', photos],
    ['specimens, genuine', files(join(folder, 'specimens'))],
  ] as const) {
    const measured: (number | null)[] = []
    let cpu = 0
    for (const file of set) {
      const image = await load(file)
      const before = process.cpuUsage()
      measured.push(measureScreenPattern(image))
      const { user, system } = process.cpuUsage(before)
      cpu += user + system
    }
    rows.push(row(label, measured, cpu / set.length / 1000))
    keep(section(rows))
  }
  const shown = await Promise.all(photos.filter((_, i) => i % every === 0).map(load))
  for (const [label, ways, recapture] of [
    ['screen', screens, recaptureScreen],
    ['print', prints, recapturePrint],
  ] as const) {
    for (const how of ways) {
      const measured: (number | null)[] = []
      for (const image of shown) measured.push(measureScreenPattern(await recapture(image, how)))
      rows.push(row(`${label}, ${how.scale} px, ${how.angle}°, blur ${how.blur}`, measured, null))
      keep(section(rows))
    }
  }
  return section(rows)
}

const section = (rows: readonly string[]): string =>
  [
    `## ${name}`,
    '',
    `Share of a picture that one regular pattern covers; suspected from ${SCREEN_PATTERN_THRESHOLD}. Recaptures are simulated: a panel of ` +
      'red, green and blue stripes, or a print raster of four inks, seen with so many camera pixels a screen pixel or raster cell, so turned and blurred, with noise, as a JPEG.',
    '',
    '| pictures | suspected | too small to say | mean | lowest | highest | ms |',
    '|---|---|---|---|---|---|---|',
    ...rows,
  ].join('\n')

const files = (folder: string) => readdirSync(folder).map((file) => join(folder, file))
const load = async (file: string): Promise<Raster> => (await decodeImage(readFileSync(file))).raster

function row(label: string, measured: readonly (number | null)[], ms: number | null): string {
  const known = measured.filter((value) => value !== null)
  const mean = known.reduce((sum, value) => sum + value, 0) / (known.length || 1)
  const suspected = known.filter((value) => value >= SCREEN_PATTERN_THRESHOLD).length
  return `| ${label} | ${suspected} of ${measured.length} | ${measured.length - known.length} | ${mean.toFixed(2)} | ${Math.min(...known).toFixed(2)} | ${Math.max(...known).toFixed(2)} | ${ms === null ? '' : ms.toFixed(0)} |`
}

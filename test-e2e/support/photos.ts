import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { sharedDir } from '@kyc/testing'

/**
 * Two photos of one person, both good selfies, and one of another person, from the truth set of labelled pairs.
 * Null where it is absent.
 */
export function facePhotos(): { same: [string, string]; other: string } | null {
  const folder = sharedDir('data', 'faces')
  if (!folder) return null
  const rows = readFileSync(join(folder, 'pairs.csv'), 'utf8')
    .trim()
    .split('\n')
    .slice(1)
    .map((line) => line.split(','))
  const path = (file: string | undefined) => join(folder, file ?? '')
  const pair = rows.find(([, , same, , similarity]) => same === '1' && Number(similarity) > 0.7)
  const stranger = rows.find(
    ([a, , same, , similarity]) => same === '0' && a === pair?.[0] && Number(similarity) < 0.1,
  )
  if (!pair || !stranger) return null
  return { same: [path(pair[0]), path(pair[1])], other: path(stranger[1]) }
}

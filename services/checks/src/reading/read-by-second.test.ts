import { describe, expect, test } from '@jest/globals'
import type { Quad } from './geometry.ts'
import { readBySecond } from './read-by-second.ts'

const today = new Date('2026-01-31T00:00:00Z')
const image = { data: new Uint8Array(440 * 60 * 3).fill(255), width: 440, height: 60, channels: 3 as const }
const quads = [0, 30].map(
  (y): Quad => [
    { x: 0, y },
    { x: 440, y },
    { x: 440, y: y + 28 },
    { x: 0, y: y + 28 },
  ],
)
const upper = 'P<UTOERIKSSON<<ANNA<MARIA<<<<<<<<<<<<<<<<<<<'
const lower = 'L898902C36UTO7408122F1204159ZE184226B<<<<<10'

/** Combines the second reader's texts of the lines with the first reader's texts. */
const read = (texts: readonly string[], first: readonly string[]) => {
  const left = [...texts]
  return readBySecond(image, quads, first, { read: async () => left.shift() ?? '' }, today)
}

describe('readBySecond', () => {
  test('returns a valid reading without uncertain characters when the first reader agrees', async () => {
    const reading = await read([upper, lower], [upper, lower.replace('898902C', '8989O2C')])
    expect(reading).toMatchObject({ holds: true, readers: 2, doubtful: [], confidence: 1 })
    expect(reading?.document.lines).toEqual([upper, lower])
  })

  test('marks characters without a check digit as uncertain when the first reader reads something else, or nothing', async () => {
    const other = await read([upper, lower], [upper.replace('ANNA', 'ANWA'), lower])
    expect(other?.doubtful).toEqual([{ line: 0, position: 17, field: 'name', read: 'N', second: 'W' }])
    const nothing = await read([upper, lower], ['05', lower])
    expect(nothing?.doubtful).toHaveLength(upper.length)
  })

  test.each<[string, string[]]>([
    ['digits that do not hold', [upper, lower.replace('L898902C36', 'L898902C37')]],
    ['reading that its digits would put right', [upper, lower.replace('898902C', '8989O2C')]],
    ['lines that are none of a zone', ['SPECIMEN', 'REPUBLIC OF UTOPIA']],
  ])('rejects %s', async (_, texts) => {
    expect(await read(texts, [upper, lower])).toBeNull()
  })
})

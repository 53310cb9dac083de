import { parseMrz } from '../domain/mrz/index.ts'
import { aligned } from './align-readings.ts'
import type { ZoneReading } from './conclude-zone.ts'
import type { Quad } from './geometry.ts'
import { cellOf, fieldAt, isProven, mrzTemplates } from './mrz-template.ts'
import { cutLine } from './page-text.ts'
import type { Raster } from './raster.ts'
import type { TesseractLineReader } from './tesseract-line-reader.ts'

/**
 * The MRZ as read by the second reader, for lines whose check digits fail in the first reading. Null unless every check
 * digit is valid without corrections, because correcting the reading of one reader alone would be a guess. `first` is
 * the first reader's text of each line; it must agree on characters that no check digit confirms.
 */
export async function readBySecond(
  image: Raster,
  quads: readonly Quad[],
  first: readonly string[],
  second: Pick<TesseractLineReader, 'read'>,
  today: Date,
): Promise<ZoneReading | null> {
  const texts: string[] = []
  for (const quad of quads) texts.push(await second.read(cutLine(image, quad)))
  const result = parseMrz(texts, { today })
  const template = mrzTemplates.find(({ layout }) => layout.format === result?.document.format)
  if (!result?.document.valid || !template || result.document.lines.length !== quads.length) return null
  if (result.document.corrections.length > 0) return null
  const { document, confidence } = result
  const doubtful = document.lines.flatMap((line, l) => {
    const other = aligned(line, first[l]!)
    return [...line].flatMap((read, position) =>
      isProven(template, cellOf(l, position), read) || other?.[position] === read
        ? []
        : [
            {
              line: l,
              position,
              field: fieldAt(template.layout, l, position),
              read,
              second: other?.[position] ?? null,
            },
          ],
    )
  })
  return { document, holds: true, doubtful, confidence, readers: 2, quads }
}

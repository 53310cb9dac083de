import { todayOf } from '../domain/mrz/dates.ts'
import { concludeZone, type ZoneReading } from './conclude-zone.ts'
import { distance, type Point, type Quad, quadHeight, quadWidth } from './geometry.ts'
import { decodeFree, type MrzClasses, type MrzLattice, mrzLattice } from './mrz-lattice.ts'
import { type MrzSolution, solveMrz } from './mrz-solver.ts'
import { mrzTemplates } from './mrz-template.ts'
import { locateZone, type ZoneLine } from './mrz-zone.ts'
import { cutLine, type PageText } from './page-text.ts'
import type { Raster } from './raster.ts'
import { readBySecond } from './read-by-second.ts'
import type { TesseractLineReader } from './tesseract-line-reader.ts'
import type { TextRecognizer } from './text-recognizer.ts'

/** Below this mean log probability per character the lines do not fit the layout: something else was read. */
const MIN_LIKELIHOOD = -0.9
/** A fit below this is looked at again with the lines stretched: part of them may have been missed. */
const GOOD_LIKELIHOOD = -0.3
/** A fit this close is what is printed, even where the digits fail. */
const SURE_LIKELIHOOD = -0.1
/** With its least certain open character likelier than not, a proven reading stands against the second reader's. */
const SURE_OF_OPEN = 0.5
/** Lines of a layout may be read this many characters short or long before it is ruled out. */
const LENGTH_TOLERANCE = 7

export interface ZoneReaders {
  readonly recognizer: TextRecognizer
  readonly classes: MrzClasses
  readonly second: TesseractLineReader | null
}

/** Finds and reads the machine-readable zone of a page; null when there is none that fits a layout. */
export async function readZone(
  image: Raster,
  page: PageText,
  readers: ZoneReaders,
  today: Date,
): Promise<ZoneReading | null> {
  const zone = locateZone(page.lines)
  if (zone.length === 0) return null
  const read = await latticesOf(image, page, zone, readers)
  const found = zone.map((line) => line.quad)
  let lines = found
  let solution = solve(read, today)
  const isGood = (s: MrzSolution | null) =>
    s !== null && s.likelihood >= (s.holds ? GOOD_LIKELIHOOD : SURE_LIKELIHOOD)
  if (!isGood(solution) && !isComplete(solution, read)) {
    for (const attempt of [...withMissingLine(found, read), ...widened(found, read)]) {
      const better = solve(await recognizeQuads(image, attempt, readers), today)
      if (better && (!solution || rank(better) > rank(solution))) {
        solution = better
        lines = attempt
      }
      if (isGood(solution)) break
    }
  }
  const fits = solution !== null && solution.likelihood >= MIN_LIKELIHOOD
  const reading = fits ? await concludeZone(image, lines, solution!, readers.second, today) : null
  if (!readers.second || (reading && isSettled(reading))) return reading
  const other = await readBySecond(image, found, read.map(decodeFree), readers.second, today)
  return other ?? reading
}

/** Proven, and what no digit proves is agreed on, or else the first reader is sure of it. */
const isSettled = ({ holds, doubtful, confidence }: ZoneReading) =>
  holds && (doubtful.length === 0 || confidence >= SURE_OF_OPEN)

/** Every digit holds and the longest line has all its characters: there is no more of it to find by stretching. */
const isComplete = (s: MrzSolution | null, lattices: readonly MrzLattice[]) =>
  s?.holds === true && Math.max(...lattices.map((l) => decodeFree(l).length)) === s.template.layout.lineLength

const rank = (s: MrzSolution) => s.likelihood + (s.holds ? 0.3 : 0) - s.cost / 40

async function latticesOf(
  image: Raster,
  page: PageText,
  zone: readonly ZoneLine[],
  readers: ZoneReaders,
): Promise<MrzLattice[]> {
  const again = zone.filter((line) => line.whole === null)
  const read = await recognizeQuads(
    image,
    again.map((line) => line.quad),
    readers,
  )
  return zone.map((line) =>
    line.whole === null
      ? read[again.indexOf(line)]!
      : mrzLattice(page.lines[line.whole]!.probabilities, readers.classes),
  )
}

async function recognizeQuads(
  image: Raster,
  quads: readonly Quad[],
  { recognizer, classes }: ZoneReaders,
): Promise<MrzLattice[]> {
  const read = await recognizer.recognize(quads.map((quad) => cutLine(image, quad)))
  return read.map((line) => mrzLattice(line, classes))
}

/** The best solution among the layouts whose length the free reading comes near. */
function solve(lattices: readonly MrzLattice[], today: Date): MrzSolution | null {
  const lengths = lattices.map((lattice) => decodeFree(lattice).length)
  let best: MrzSolution | null = null
  for (const template of mrzTemplates) {
    const { lineLength } = template.layout
    if (!lengths.some((length) => Math.abs(length - lineLength) <= LENGTH_TOLERANCE)) continue
    const solution = solveMrz(template, lattices, todayOf(today))
    if (solution && (!best || rank(solution) > rank(best))) best = solution
  }
  return best
}

/**
 * The lines stretched to the right as far as each longer layout would reach: detectors miss long runs of fillers.
 * The characters are evenly spaced, so the part that was read says how long the whole line is.
 */
function widened(quads: readonly Quad[], lattices: readonly MrzLattice[]): Quad[][] {
  const lengths = lattices.map((lattice) => decodeFree(lattice).length)
  const longest = Math.max(...lengths)
  if (longest < 10) return []
  const pitch = quadWidth(quads[lengths.indexOf(longest)]!) / longest
  const layoutLengths = quads.length === 3 ? [30] : [44, 36]
  return layoutLengths
    .filter((length) => length > longest)
    .map((length) => quads.map((quad) => stretched(quad, (length + 0.7) * pitch)))
}

/** Characters of a zone stand 2.54 mm apart and its lines about 2.6 times that (ICAO 9303-3 section 4). */
const LINE_PITCH = 2.6

/** A line that detection missed lies above or below the one it found, one line pitch away. */
function withMissingLine(quads: readonly Quad[], lattices: readonly MrzLattice[]): Quad[][] {
  const [only] = quads
  if (quads.length !== 1 || !only) return []
  const length = decodeFree(lattices[0]!).length
  if (length < 30) return []
  const step = ((quadWidth(only) / length) * LINE_PITCH) / quadHeight(only)
  const moved = (times: number): Quad => {
    const shift = (from: Point, to: Point, p: Point): Point => ({
      x: p.x + (to.x - from.x) * step * times,
      y: p.y + (to.y - from.y) * step * times,
    })
    return [
      shift(only[0], only[3], only[0]),
      shift(only[1], only[2], only[1]),
      shift(only[1], only[2], only[2]),
      shift(only[0], only[3], only[3]),
    ]
  }
  return [
    [moved(-1), only],
    [only, moved(1)],
  ]
}

/** The same line, its right end moved along its own direction to the given length. */
function stretched(quad: Quad, length: number): Quad {
  const along = (from: Point, to: Point): Point => {
    const factor = length / (distance(from, to) || 1)
    return { x: from.x + (to.x - from.x) * factor, y: from.y + (to.y - from.y) * factor }
  }
  return [quad[0], along(quad[0], quad[1]), along(quad[3], quad[2]), quad[3]]
}

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

/** Below this mean log probability per character, the lines do not fit the layout and are not an MRZ. */
const MIN_LIKELIHOOD = -0.9
/** Below this likelihood, the lines are stretched and read again, because part of them may have been missed. */
const GOOD_LIKELIHOOD = -0.3
/** From this likelihood on, the reading is what is printed, even when check digits fail. */
const SURE_LIKELIHOOD = -0.1
/**
 * Above this probability of its least certain unconfirmed character, a valid reading takes precedence over the second
 * reader's.
 */
const SURE_OF_OPEN = 0.5
/** A layout is ruled out when the line lengths read differ from its own by more characters. */
const LENGTH_TOLERANCE = 7

export interface ZoneReaders {
  readonly recognizer: TextRecognizer
  readonly classes: MrzClasses
  readonly second: TesseractLineReader | null
}

/** Finds and reads the MRZ of a page; null when no MRZ fits a layout. */
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

/** Valid, and the readers agree on what no check digit confirms, or the first reader is certain enough. */
const isSettled = ({ holds, doubtful, confidence }: ZoneReading) =>
  holds && (doubtful.length === 0 || confidence >= SURE_OF_OPEN)

/** Every check digit is valid and the longest line has all its characters, so stretching would find nothing more. */
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

/** The best solution among the layouts whose length is close to the unconstrained reading. */
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
 * The lines stretched to the right to the length of each longer layout, because detectors miss long runs of fillers.
 * Characters are evenly spaced, so the part that was read determines the length of the whole line.
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

/** MRZ characters are 2.54 mm apart and its lines about 2.6 times that (ICAO 9303-3 section 4). */
const LINE_PITCH = 2.6

/** A line that detection missed is one line pitch above or below the one found. */
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

/** The same line with its right end moved along its own direction to the given length. */
function stretched(quad: Quad, length: number): Quad {
  const along = (from: Point, to: Point): Point => {
    const factor = length / (distance(from, to) || 1)
    return { x: from.x + (to.x - from.x) * factor, y: from.y + (to.y - from.y) * factor }
  }
  return [quad[0], along(quad[0], quad[1]), along(quad[3], quad[2]), quad[3]]
}

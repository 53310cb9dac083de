import { fitLine, type LineFit, lengthTolerance } from './fit-line.ts'
import { type Layout, layouts } from './layouts.ts'
import { type NormalizedLine, normalizeLine } from './normalize-line.ts'
import { type LineTemplate, templates } from './templates.ts'

/** One way to locate an MRZ among the lines. */
export interface Hypothesis {
  layout: Layout
  fits: readonly LineFit[]
  cost: number
}

const mostLines = 20
/** Maximum number of unrelated lines between two lines of an MRZ, and the cost of each. */
const mostSkipped = 3
const costOfSkipped = 1.5
/** Cost of splitting a line where no white space was read. */
const costOfCut = 1.5
/** Cost of joining two lines; real ones are rarely split. */
const costOfJoin = 1
const mostJoined = 3
/** Shorter lines contain at most one line of an MRZ. */
const shortestMerged = 54
const mostHypotheses = 3

/** A piece of the input that may be one line of an MRZ. */
interface Segment {
  text: string
  cost: number
  /** Order in the input: line index times 1,000 plus offset. */
  start: number
  end: number
}

const lineStride = 1_000
const lineLengths = [...new Set(layouts.map((layout) => layout.lineLength))]

/**
 * Whether a text contains fillers or many digits: every line of an MRZ has one or the other, and other text hardly ever
 * does.
 */
function isPromising(text: string): boolean {
  let digits = 0
  let fillers = 0
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index)
    if (code === 60) fillers++
    else if (code < 60) digits++
  }
  return fillers >= 2 || digits >= 10
}

const fitsLength = (length: number): boolean =>
  lineLengths.some((wanted) => Math.abs(wanted - length) <= lengthTolerance)

function wholeSegments(lines: readonly NormalizedLine[]): Segment[] {
  const segments: Segment[] = []
  for (let first = 0; first < lines.length; first++) {
    let text = ''
    let joined = 0
    let cost = 0
    for (let last = first; last < lines.length && joined < mostJoined; last++) {
      const piece = lines[last]!.text
      if (piece.length === 0) continue
      if (joined > 0) cost += costOfJoin
      text += piece
      joined++
      if (text.length > 48) break
      if (fitsLength(text.length) && isPromising(text)) {
        segments.push({ text, cost, start: first * lineStride, end: last * lineStride + piece.length })
      }
      // Ignore a stray mark between two halves of a line.
      if (joined === 2 && piece.length <= 2) {
        text = text.slice(0, -piece.length)
        joined = 1
      }
    }
  }
  return segments
}

/** Places near `middle` where a line may be split: at white space if there is any, otherwise within `reach`. */
function cutsNear({ text, breaks }: NormalizedLine, middle: number, reach: number): number[] {
  const near = breaks.filter((position) => Math.abs(position - middle) <= lengthTolerance)
  if (near.length > 0) return near.includes(middle) ? near : [...near, middle]
  return Array.from({ length: 2 * reach + 1 }, (_, index) => middle - reach + index).filter(
    (position) => position > 0 && position < text.length,
  )
}

/** Pieces of a line that contains two or three lines of an MRZ. */
function cutSegments(line: NormalizedLine, index: number): Segment[] {
  const { text, breaks } = line
  const segments: Segment[] = []
  if (text.length < shortestMerged) return segments
  const costAt = (position: number): number =>
    position === 0 || position === text.length || breaks.includes(position) ? 0 : costOfCut
  for (const length of lineLengths) {
    for (let count = 2; count <= 3; count++) {
      if (Math.abs(length * count - text.length) > lengthTolerance * 2) continue
      const cuts = [0, text.length]
      for (let part = 1; part < count; part++)
        cuts.push(...cutsNear(line, length * part, count === 2 ? lengthTolerance : 1))
      for (const start of cuts) {
        for (const end of cuts) {
          if (Math.abs(end - start - length) > lengthTolerance) continue
          segments.push({
            text: text.slice(start, end),
            cost: (costAt(start) + costAt(end)) / 2,
            start: index * lineStride + start,
            end: index * lineStride + end,
          })
        }
      }
    }
  }
  return segments
}

interface Placed {
  fit: LineFit
  segment: Segment
}

function place(template: LineTemplate, segments: readonly Segment[]): Placed[] {
  const placed: Placed[] = []
  for (const segment of segments) {
    for (const fit of fitLine(template, segment.text)) placed.push({ fit, segment })
  }
  return placed.sort((a, b) => a.fit.cost + a.segment.cost - b.fit.cost - b.segment.cost).slice(0, 16)
}

/** Cost of the gap between two segments; null when they overlap or are too far apart. */
function gapCost(from: Segment, to: Segment, lines: readonly NormalizedLine[]): number | null {
  if (to.start < from.end) return null
  const firstLine = Math.floor(from.end / lineStride)
  const nextLine = Math.floor(to.start / lineStride)
  if (nextLine === firstLine) return (to.start - from.end) * costOfCut
  let skipped = 0
  for (let line = firstLine + 1; line < nextLine; line++) {
    if (lines[line]!.text.length > 2) skipped++
  }
  return skipped <= mostSkipped ? skipped * costOfSkipped : null
}

function combine(
  layout: Layout,
  segments: readonly Segment[],
  lines: readonly NormalizedLine[],
): Hypothesis[] {
  let partial: { fits: LineFit[]; last: Segment | null; cost: number }[] = [{ fits: [], last: null, cost: 0 }]
  for (const template of templates.get(layout)!) {
    const next: typeof partial = []
    const placed = place(template, segments)
    for (const start of partial) {
      for (const { fit, segment } of placed) {
        const gap = start.last === null ? 0 : gapCost(start.last, segment, lines)
        if (gap === null) continue
        next.push({
          fits: [...start.fits, fit],
          last: segment,
          cost: start.cost + fit.cost + segment.cost + gap,
        })
      }
    }
    partial = next.sort((a, b) => a.cost - b.cost).slice(0, mostHypotheses)
  }
  return partial.map(({ fits, cost }) => ({ layout, fits, cost }))
}

/** Lines that already have the count and lengths of a layout, so the layout is known. */
function shaped(lines: readonly NormalizedLine[]): Hypothesis[] {
  const texts = lines.map((line) => line.text).filter((text) => text.length > 0)
  const hypotheses: Hypothesis[] = []
  for (const layout of layouts) {
    if (texts.length !== layout.lineCount || texts.some((text) => text.length !== layout.lineLength)) continue
    const fits = templates.get(layout)!.flatMap((template, index) => fitLine(template, texts[index]!, 1))
    if (fits.length < layout.lineCount) continue
    hypotheses.push({ layout, fits, cost: fits.reduce((sum, fit) => sum + fit.cost, 0) })
  }
  return hypotheses.sort((a, b) => a.cost - b.cost)
}

/** Searches lines for MRZs of every layout. Returns the cheapest hypotheses in order. */
export function locate(lines: readonly string[]): Hypothesis[] {
  const normalized = lines.slice(0, mostLines).map(normalizeLine)
  const exact = shaped(normalized)
  if (exact.length > 0) return exact
  const segments = [...wholeSegments(normalized), ...normalized.flatMap(cutSegments)]
  if (segments.length === 0) return []
  const hypotheses: Hypothesis[] = []
  for (const layout of layouts) {
    const fitting = segments.filter(
      (segment) => Math.abs(segment.text.length - layout.lineLength) <= lengthTolerance,
    )
    if (fitting.length > 0) hypotheses.push(...combine(layout, fitting, normalized))
  }
  return hypotheses.sort((a, b) => a.cost - b.cost).slice(0, mostHypotheses)
}

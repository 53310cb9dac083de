import { distance, midpoint, type Point, type Quad, quadAngle, quadHeight } from './geometry.ts'

/** The properties of a recognised text line that are needed to locate the MRZ. */
export interface RecognizedLine {
  readonly quad: Quad
  readonly text: string
}

/** One line of the MRZ: the piece or pieces found, and the quadrilateral that spans the MRZ's full width. */
export interface ZoneLine {
  readonly quad: Quad
  /** Index of the only piece when it already spans the line; null when the line has to be read again. */
  readonly whole: number | null
}

const zoneCharacters = /[A-Z0-9<くㄑ《〈«‹≤]/g
const fillers = /[<くㄑ《〈«‹≤]/g
/** A piece shorter than the MRZ by more than this fraction is read again over the full width. */
const MISSING_SHARE = 0.02
/** The pitch of MRZ lines is one sixth to one quarter of an inch, so at most this many line heights. */
const MAX_PITCH = 2.6
/** Maximum gap between pieces of an MRZ along the lines, in line heights. */
const MAX_GAP = 12
const MAX_ROWS = 3

const count = (text: string, pattern: RegExp) => text.match(pattern)?.length ?? 0

/** Whether a text can only be a piece of an MRZ, because it has fillers and hardly anything outside the alphabet. */
const isSeed = (text: string) => count(text, fillers) >= 3 && alphabetShare(text) > 0.75

/** Whether a text may be a piece of an MRZ if its position fits. */
const isCompanion = (text: string) =>
  count(text, / /g) <= 1 &&
  alphabetShare(text) > 0.8 &&
  ((text.length >= 8 && count(text, /\d/g) >= 3) || (text.length >= 12 && count(text, fillers) >= 1))

function alphabetShare(text: string): number {
  const compact = text.replaceAll(' ', '')
  return compact.length === 0 ? 0 : count(compact, zoneCharacters) / compact.length
}

interface Piece {
  readonly index: number
  readonly text: string
  readonly left: Point
  readonly right: Point
  readonly height: number
}

/**
 * Finds the lines of an MRZ among recognised lines: pieces on parallel baselines, joined by baseline and extended to
 * the MRZ's common left and right edge. Top to bottom, at most three; empty when there is none.
 */
export function locateZone(lines: readonly RecognizedLine[]): ZoneLine[] {
  const all = lines.map(
    ({ quad, text }, index): Piece => ({
      index,
      text,
      left: midpoint(quad[0], quad[3]),
      right: midpoint(quad[1], quad[2]),
      height: quadHeight(quad),
    }),
  )
  const seeds = all.filter((p) => isSeed(p.text))
  if (seeds.length === 0) return []
  const seed = longestOf(seeds)
  const angle = quadAngle(lines[seed.index]!.quad)
  const axes: Axes = {
    angle,
    u: (p) => p.x * Math.cos(angle) + p.y * Math.sin(angle),
    v: (p) => -p.x * Math.sin(angle) + p.y * Math.cos(angle),
  }
  const { u, v } = axes
  const gap = (p: Piece) => Math.max(u(p.left) - u(seed.right), u(seed.left) - u(p.right))
  const middle = (p: Piece) => v(midpoint(p.left, p.right))
  const candidates = all
    .filter((p) => p.height > seed.height * 0.55 && p.height < seed.height * 1.7)
    .filter((p) => isSeed(p.text) || (isCompanion(p.text) && gap(p) < MAX_GAP * seed.height))
    .sort((a, b) => middle(a) - middle(b))
  const rows: Piece[][] = []
  for (const piece of candidates) {
    const row = rows.find((r) => Math.abs(axisAt(r, u(piece.left), axes) - v(piece.left)) < seed.height * 0.5)
    if (row) row.push(piece)
    else rows.push([piece])
  }
  const block = neighbours(
    rows,
    rows.findIndex((row) => row.includes(seed)),
    seed.height,
    axes,
  )
  const left = Math.min(...block.flat().map((p) => u(p.left)))
  const right = Math.max(...block.flat().map((p) => u(p.right)))
  return block.map((row) => zoneLine(row, left, right, axes))
}

/** The rows that closely follow each other around the seed's row; the lowest three when there are more. */
function neighbours(rows: readonly Piece[][], at: number, height: number, axes: Axes): Piece[][] {
  const place = (row: Piece[]) => {
    const p = longestOf(row)
    return axes.v(midpoint(p.left, p.right))
  }
  let first = at
  let last = at
  while (first > 0 && place(rows[first]!) - place(rows[first - 1]!) < MAX_PITCH * height) first--
  while (last < rows.length - 1 && place(rows[last + 1]!) - place(rows[last]!) < MAX_PITCH * height) last++
  return rows.slice(Math.max(first, last - MAX_ROWS + 1), last + 1)
}

/** Directions along and across the MRZ lines. */
interface Axes {
  readonly angle: number
  readonly u: (p: Point) => number
  readonly v: (p: Point) => number
}

/** Position of the axis of a row's longest piece at a given horizontal coordinate. */
function axisAt(row: readonly Piece[], at: number, { u, v }: Axes): number {
  const p = longestOf(row)
  const run = u(p.right) - u(p.left) || 1
  return v(p.left) + ((v(p.right) - v(p.left)) * (at - u(p.left))) / run
}

const longestOf = (row: readonly Piece[]) =>
  row.reduce((a, b) => (distance(b.left, b.right) > distance(a.left, a.right) ? b : a))

function zoneLine(row: readonly Piece[], left: number, right: number, { angle, u, v }: Axes): ZoneLine {
  const main = longestOf(row)
  const run = u(main.right) - u(main.left) || 1
  const wide = run > 0.5 * (right - left)
  const ends = [...row].sort((a, b) => u(a.left) - u(b.left))
  // A short main piece has no reliable slope, so use the outermost pieces or the MRZ's own direction instead.
  const slope = wide
    ? (v(main.right) - v(main.left)) / run
    : row.length > 1
      ? (v(ends.at(-1)!.right) - v(ends[0]!.left)) / (u(ends.at(-1)!.right) - u(ends[0]!.left) || 1)
      : 0
  const half = Math.max(...row.map((p) => p.height)) / 2
  const place = (along: number, across: number): Point => ({
    x: along * Math.cos(angle) - across * Math.sin(angle),
    y: along * Math.sin(angle) + across * Math.cos(angle),
  })
  const axis = (along: number) => v(main.left) + slope * (along - u(main.left))
  const missing = Math.max(u(main.left) - left, right - u(main.right))
  return {
    quad: [
      place(left, axis(left) - half),
      place(right, axis(right) - half),
      place(right, axis(right) + half),
      place(left, axis(left) + half),
    ],
    whole: row.length === 1 && missing < MISSING_SHARE * (right - left) ? main.index : null,
  }
}

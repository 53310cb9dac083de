import { decodeGreedy } from './ctc.ts'
import { type Point, type Quad, quadHeight, quadWidth, turnQuad, uprightOrder } from './geometry.ts'
import type { Raster } from './raster.ts'
import type { TextBox } from './text-detector.ts'
import {
  LINE_HEIGHT,
  type LineProbabilities,
  MAX_LINE_WIDTH,
  type TextRecognizer,
} from './text-recognizer.ts'
import { rectify } from './warp.ts'

/** One line of text: its position in the image, in reading order, and its content. */
export interface TextLine {
  readonly quad: Quad
  readonly text: string
  /** Mean probability of its characters. */
  readonly confidence: number
  readonly probabilities: LineProbabilities
}

export type QuarterTurns = 0 | 1 | 2 | 3

export interface PageText {
  readonly lines: readonly TextLine[]
  /** Clockwise quarter turns that make the page upright. */
  readonly quarterTurns: QuarterTurns
}

/** Lines used to determine the orientation of the page; four long ones outvote a stamp. */
const PROBES = 4
const PROBE_MAX_WIDTH = 480
/** Upright text has a confidence of 0.9 and more; the same text upside down rarely exceeds 0.6. */
const UPRIGHT_CONFIDENCE = 0.8

/** Cuts out and rectifies a line at the recogniser's height. */
export function cutLine(image: Raster, quad: Quad, maxWidth = MAX_LINE_WIDTH): Raster {
  const width = Math.round((quadWidth(quad) / Math.max(1, quadHeight(quad))) * LINE_HEIGHT)
  return rectify(image, quad, Math.max(16, Math.min(maxWidth, width)), LINE_HEIGHT)
}

/** Reads every detected line, after determining the orientation of the page. */
export async function readPage(
  image: Raster,
  boxes: readonly TextBox[],
  recognizer: TextRecognizer,
): Promise<PageText> {
  const quads = boxes.map((box) => box.quad)
  const sideways = runsVertically(quads)
  const probes = longest(quads, sideways)
  const likely: QuarterTurns = sideways ? 1 : 0
  const page = await readTurned(image, quads, likely, recognizer)
  const confidence = mean(probes.map((i) => page.lines[i]!.confidence))
  if (probes.length === 0 || confidence >= UPRIGHT_CONFIDENCE) return page
  const other: QuarterTurns = sideways ? 3 : 2
  const flipped = await readTurned(
    image,
    probes.map((i) => quads[i]!),
    other,
    recognizer,
    PROBE_MAX_WIDTH,
  )
  if (mean(flipped.lines.map((line) => line.confidence)) <= confidence) return page
  return readTurned(image, quads, other, recognizer)
}

async function readTurned(
  image: Raster,
  quads: readonly Quad[],
  quarterTurns: QuarterTurns,
  recognizer: TextRecognizer,
  maxWidth?: number,
): Promise<PageText> {
  const turned = quads.map((quad) => turnedTo(quad, quarterTurns))
  const probabilities = await recognizer.recognize(turned.map((quad) => cutLine(image, quad, maxWidth)))
  return {
    quarterTurns,
    lines: turned.map((quad, i) => ({
      quad,
      probabilities: probabilities[i]!,
      ...decodeGreedy(probabilities[i]!, recognizer.characters),
    })),
  }
}

const isVertical = (quad: Quad) => quadHeight(quad) > quadWidth(quad)
const mean = (values: readonly number[]) =>
  values.reduce((sum, value) => sum + value, 0) / (values.length || 1)

/** Whether most of the text runs up or down the image. */
function runsVertically(quads: readonly Quad[]): boolean {
  const balance = quads.reduce((sum, q) => {
    const length = Math.max(quadWidth(q), quadHeight(q))
    if (length < 2 * Math.min(quadWidth(q), quadHeight(q))) return sum
    return sum + (isVertical(q) ? length : -length)
  }, 0)
  return balance > 0
}

function longest(quads: readonly Quad[], sideways: boolean): number[] {
  const length = (i: number) => Math.max(quadWidth(quads[i]!), quadHeight(quads[i]!))
  return quads
    .map((_, i) => i)
    .filter((i) => isVertical(quads[i]!) === sideways)
    .sort((a, b) => length(b) - length(a))
    .slice(0, PROBES)
}

/** The corners in reading order on a page that is upright after `quarterTurns` clockwise turns. */
function turnedTo(quad: Quad, quarterTurns: QuarterTurns): Quad {
  if (quarterTurns === 0) return quad
  // Order the corners as on the upright page, then map them back to their positions in the image.
  const stand = (p: Point): Point =>
    quarterTurns === 1 ? { x: -p.y, y: p.x } : quarterTurns === 2 ? { x: -p.x, y: -p.y } : { x: p.y, y: -p.x }
  const standing = uprightOrder([stand(quad[0]), stand(quad[1]), stand(quad[2]), stand(quad[3])])
  const first = quad.findIndex((p) => {
    const s = stand(p)
    return s.x === standing[0].x && s.y === standing[0].y
  })
  return turnQuad(quad, first)
}

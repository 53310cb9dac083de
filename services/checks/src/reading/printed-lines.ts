import type { PrintedLine } from '../domain/document/printed-line.ts'
import { midpoint, type Point, quadAngle, quadHeight, quadWidth } from './geometry.ts'
import type { TextLine } from './page-text.ts'

/** Converts lines to the coordinates of the page: upright and level, whatever the orientation of the photo. */
export function toPrintedLines(lines: readonly TextLine[]): PrintedLine[] {
  const angle = tiltOf(lines)
  const level = (p: Point): Point => ({
    x: p.x * Math.cos(angle) + p.y * Math.sin(angle),
    y: -p.x * Math.sin(angle) + p.y * Math.cos(angle),
  })
  return lines.map(({ quad, text, confidence }) => {
    const left = level(midpoint(quad[0], quad[3]))
    const right = level(midpoint(quad[1], quad[2]))
    const middle = (left.y + right.y) / 2
    const half = quadHeight(quad) / 2
    return { text, confidence, left: left.x, right: right.x, top: middle - half, bottom: middle + half }
  })
}

/**
 * The direction of most text in radians, positive clockwise, 0 for level text. Weighted by length, because short words
 * have no reliable direction.
 */
export function tiltOf(lines: readonly TextLine[]): number {
  const weighted = lines
    .map(({ quad }) => ({ angle: quadAngle(quad), weight: quadWidth(quad) }))
    .sort((a, b) => a.angle - b.angle)
  const half = weighted.reduce((sum, item) => sum + item.weight, 0) / 2
  let sum = 0
  for (const { angle, weight } of weighted) {
    sum += weight
    if (sum >= half) return angle
  }
  return 0
}

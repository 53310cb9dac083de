import type { Rect } from '../guide.ts'
import type { Grey } from './grey.ts'

/** Distance of each card side outwards from the guide, as a fraction of the guide's size; null if not detected. */
export type Edges = Record<'left' | 'right' | 'top' | 'bottom', number | null>

/** Search distance around the guide, as a fraction of the guide's size. */
const reach = 0.2
/** Minimum mean brightness change across a segment of a side, in levels. */
const step = 9
/** A side is divided into segments, so that a slight tilt does not blur its edge; most of them must show the edge. */
const segments = 5
const needed = 4

/**
 * Detects the four sides of a card near the guide. A side is a straight brightness change of one sign, so the texture
 * of a table cancels out, and a finger over one segment is tolerated.
 */
export function findEdges(grey: Grey, guide: Rect): Edges {
  const horizontal = (y: number, outwards: 1 | -1) => locate(grey, guide, 'y', y, outwards)
  const vertical = (x: number, outwards: 1 | -1) => locate(grey, guide, 'x', x, outwards)
  return {
    left: vertical(guide.x, -1),
    right: vertical(guide.x + guide.width, 1),
    top: horizontal(guide.y, -1),
    bottom: horizontal(guide.y + guide.height, 1),
  }
}

function locate(grey: Grey, guide: Rect, axis: 'x' | 'y', position: number, outwards: 1 | -1): number | null {
  const size = axis === 'x' ? guide.width : guide.height
  const length = axis === 'x' ? guide.height : guide.width
  const start = axis === 'x' ? guide.y : guide.x
  const limit = (axis === 'x' ? grey.width : grey.height) - 3
  const found: number[] = []
  for (let segment = 0; segment < segments; segment += 1) {
    // Exclude the outer eighth of a side, because corners are round.
    const from = start + length * (0.125 + (0.75 * segment) / segments)
    const to = start + length * (0.125 + (0.75 * (segment + 1)) / segments)
    let best = step
    let at: number | null = null
    for (let offset = -reach * size; offset <= reach * size; offset += 1) {
      const line = Math.round(position + offset * outwards)
      if (line < 2 || line > limit) continue
      const change = Math.abs(changeAcross(grey, axis, line, from, to))
      // Of similar changes prefer the outer one, because print lies inside the card.
      if (change > best * (offset > (at ?? Number.NEGATIVE_INFINITY) ? 0.8 : 1)) {
        best = Math.max(best, change)
        at = offset
      }
    }
    if (at !== null) found.push(at / size)
  }
  if (found.length < needed) return null
  found.sort((a, b) => a - b)
  return found[Math.floor(found.length / 2)]!
}

/** Signed mean change of brightness across a line, between two pixels before and two after it. */
function changeAcross(grey: Grey, axis: 'x' | 'y', line: number, from: number, to: number): number {
  const { data, width, height } = grey
  const last = (axis === 'x' ? height : width) - 1
  let sum = 0
  let count = 0
  for (let along = Math.max(0, Math.round(from)); along <= Math.min(last, Math.round(to)); along += 1) {
    const at = axis === 'x' ? along * width + line : line * width + along
    const stride = axis === 'x' ? 1 : width
    sum += data[at + stride]! + data[at + 2 * stride]! - data[at - stride]! - data[at - 2 * stride]!
    count += 2
  }
  return count === 0 ? 0 : sum / count
}

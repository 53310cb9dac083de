import type { Rect } from '../guide.ts'
import { type Edges, findEdges } from './card-edges.ts'
import { differenceOf, type Grey, meanIn, sharpnessOf } from './grey.ts'

export type DocumentHint =
  | 'dark'
  | 'fit'
  | 'closer'
  | 'away'
  | 'left'
  | 'right'
  | 'up'
  | 'down'
  | 'glare'
  | 'blur'
  | 'motion'
  | 'ok'

export const documentBounds = {
  /** Minimum mean level of the centre. */
  dark: 50,
  /** Maximum distance of a side from the guide, as a fraction of the guide's size. */
  edge: 0.07,
  /** Level of an overexposed pixel, fraction of them in an overexposed tile, fraction of the card in such tiles. */
  burnt: 245,
  burntTile: 0.7,
  glare: 0.012,
  /** See `sharpnessOf`; print blurred by 5 pixels measures 0.016, by 7 pixels 0.008. */
  sharpness: 0.012,
  /** Maximum mean difference from the previous frame, in levels. */
  motion: 6,
} as const

/** Judges a frame by its downscaled copy, the previous one and its centre at native size; returns the first failure. */
export function judgeDocument(
  small: Grey,
  before: Grey | null,
  native: Grey | null,
  guide: Rect,
): DocumentHint {
  if (meanIn(small, guide) < documentBounds.dark) return 'dark'
  const edges = edgeHint(findEdges(small, guide))
  if (edges !== null) return edges
  if (glareIn(small, guide) > documentBounds.glare) return 'glare'
  const sharpness = native ? sharpnessOf(native) : null
  if (sharpness !== null && sharpness < documentBounds.sharpness) return 'blur'
  if (differenceOf(small, before) > documentBounds.motion) return 'motion'
  return 'ok'
}

/** All four sides must align with the guide; the direction of their offsets determines the hint. */
export function edgeHint({ left, right, top, bottom }: Edges): DocumentHint | null {
  if (left === null || right === null || top === null || bottom === null) return 'fit'
  const all = [left, right, top, bottom]
  const limit = documentBounds.edge
  if (all.every((offset) => Math.abs(offset) <= limit)) return null
  if (Math.max(...all) <= limit / 2) return 'closer'
  if (Math.min(...all) >= -limit / 2) return 'away'
  const sideways = right - left
  const upright = bottom - top
  if (Math.abs(sideways) >= Math.abs(upright)) return sideways > 0 ? 'left' : 'right'
  return upright > 0 ? 'up' : 'down'
}

const grid = 8

/** Fraction of the card's area in overexposed tiles. A uniformly white card has no glare. */
export function glareIn({ data, width }: Grey, guide: Rect): number {
  const [tileWidth, tileHeight] = [guide.width / grid, guide.height / grid]
  let burnt = 0
  for (let row = 0; row < grid; row += 1) {
    for (let column = 0; column < grid; column += 1) {
      let [bright, count] = [0, 0]
      const bottom = Math.floor(guide.y + (row + 1) * tileHeight)
      const right = Math.floor(guide.x + (column + 1) * tileWidth)
      for (let y = Math.ceil(guide.y + row * tileHeight); y < bottom; y += 1) {
        for (let x = Math.ceil(guide.x + column * tileWidth); x < right; x += 1) {
          if (data[y * width + x]! >= documentBounds.burnt) bright += 1
          count += 1
        }
      }
      if (count > 0 && bright / count > documentBounds.burntTile) burnt += 1
    }
  }
  const share = burnt / (grid * grid)
  return share > 0.5 ? 0 : share
}

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
  /** Mean level of the middle. */
  dark: 50,
  /** How far a side may be from the guide, as a share of the guide's size. */
  edge: 0.07,
  /** Level from which a pixel is burnt out, share of burnt pixels that burns a tile, share of the card in such tiles. */
  burnt: 245,
  burntTile: 0.7,
  glare: 0.012,
  /** See `sharpnessOf`; prints of 5 pixels blur come to 0.016, of 7 to 0.008. */
  sharpness: 0.012,
  /** Mean difference to the frame before, in levels. */
  motion: 6,
} as const

/** Looks at one frame: small and whole, the same before it, and its middle at native size. The first failure speaks. */
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

/** All four sides must lie at the guide; two that lie to one side say where to move. */
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

/** Share of the card's area in tiles that are burnt out. A card that is white all over has no glare. */
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

import type { Point } from './image.ts'

/** x' = a·x − b·y + tx; y' = b·x + a·y + ty: rotation, one scale and translation, no shear, no reflection. */
export type SimilarityTransform = { a: number; b: number; tx: number; ty: number }

const mean = (points: readonly Point[]): Point => ({
  x: points.reduce((sum, { x }) => sum + x, 0) / points.length,
  y: points.reduce((sum, { y }) => sum + y, 0) / points.length,
})

/**
 * The least-squares transform from `from` to `to` (Umeyama, "Least-squares estimation of transformation parameters
 * between two point patterns", 1991; in the plane the solution has a closed form).
 * Both lists have the same length of at least two. Returns null if all points of `from` coincide.
 */
export function fitSimilarityTransform(
  from: readonly Point[],
  to: readonly Point[],
): SimilarityTransform | null {
  const fromMean = mean(from)
  const toMean = mean(to)
  let spread = 0
  let dot = 0
  let cross = 0
  for (const [index, source] of from.entries()) {
    const target = to[index]!
    const sx = source.x - fromMean.x
    const sy = source.y - fromMean.y
    const tx = target.x - toMean.x
    const ty = target.y - toMean.y
    spread += sx * sx + sy * sy
    dot += sx * tx + sy * ty
    cross += sx * ty - sy * tx
  }
  if (!(spread > 0)) return null
  const a = dot / spread
  const b = cross / spread
  return {
    a,
    b,
    tx: toMean.x - (a * fromMean.x - b * fromMean.y),
    ty: toMean.y - (b * fromMean.x + a * fromMean.y),
  }
}

/** The inverse of `transform`; null if its scale is zero. */
export function invertSimilarityTransform(transform: SimilarityTransform): SimilarityTransform | null {
  const { a, b, tx, ty } = transform
  const scale = a * a + b * b
  if (!(scale > 0)) return null
  const ia = a / scale
  const ib = -b / scale
  return { a: ia, b: ib, tx: -(ia * tx - ib * ty), ty: -(ib * tx + ia * ty) }
}

export const applySimilarityTransform = (transform: SimilarityTransform, { x, y }: Point): Point => ({
  x: transform.a * x - transform.b * y + transform.tx,
  y: transform.b * x + transform.a * y + transform.ty,
})

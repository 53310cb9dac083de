import type { Box } from './image.ts'

/** Intersection over union of two boxes, 0 to 1; 0 if both are empty. */
export function intersectionOverUnion(a: Box, b: Box): number {
  const width = Math.min(a.x + a.width, b.x + b.width) - Math.max(a.x, b.x)
  const height = Math.min(a.y + a.height, b.y + b.height) - Math.max(a.y, b.y)
  if (width <= 0 || height <= 0) return 0
  const intersection = width * height
  return intersection / (a.width * a.height + b.width * b.height - intersection)
}

/** Truncates to whole pixels as OpenCV's detector does, because other rounding would keep different faces. */
const truncated = ({ x, y, width, height }: Box): Box => ({
  x: Math.trunc(x),
  y: Math.trunc(y),
  width: Math.trunc(width),
  height: Math.trunc(height),
})

/**
 * Greedy non-maximum suppression: in order of score, each retained candidate removes those that overlap it by more
 * than `maxOverlap` (intersection over union). Returns the retained candidates, best score first.
 */
export function suppressNonMaxima<T extends { box: Box; score: number }>(
  candidates: readonly T[],
  maxOverlap: number,
): T[] {
  const ordered = candidates
    .map((candidate) => ({ candidate, box: truncated(candidate.box) }))
    .sort((a, b) => b.candidate.score - a.candidate.score)
  const kept: typeof ordered = []
  for (const entry of ordered) {
    if (kept.every((other) => intersectionOverUnion(entry.box, other.box) <= maxOverlap)) kept.push(entry)
  }
  return kept.map(({ candidate }) => candidate)
}

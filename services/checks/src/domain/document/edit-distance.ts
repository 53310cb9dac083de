/**
 * Levenshtein distance, given up as `limit + 1` once it must exceed `limit`. Cost grows with the product of the
 * lengths.
 */
export function editDistance(a: string, b: string, limit = Number.POSITIVE_INFINITY): number {
  if (Math.abs(a.length - b.length) > limit) return limit + 1
  let previous = Array.from({ length: b.length + 1 }, (_, j) => j)
  for (let i = 1; i <= a.length; i++) {
    const current = [i]
    let least = i
    for (let j = 1; j <= b.length; j++) {
      const value = Math.min(
        previous[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1),
        previous[j]! + 1,
        current[j - 1]! + 1,
      )
      current.push(value)
      if (value < least) least = value
    }
    if (least > limit) return limit + 1
    previous = current
  }
  return previous[b.length]!
}

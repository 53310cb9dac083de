/**
 * Levenshtein distance; returns `limit + 1` as soon as the distance must exceed `limit`. Takes time proportional to the
 * product of the lengths, or to length times limit when a limit is given.
 */
export function editDistance(a: string, b: string, limit = Number.POSITIVE_INFINITY): number {
  const surplus = a.length - b.length
  if (surplus > limit || -surplus > limit) return limit + 1
  const row = new Uint16Array(b.length + 1)
  for (let j = 0; j <= b.length; j++) row[j] = j
  for (let i = 1; i <= a.length; i++) {
    let diagonal = row[0]!
    row[0] = i
    let least = i
    const character = a.charCodeAt(i - 1)
    for (let j = 1; j <= b.length; j++) {
      const above = row[j]!
      let value = character === b.charCodeAt(j - 1) ? diagonal : diagonal + 1
      if (above + 1 < value) value = above + 1
      if (row[j - 1]! + 1 < value) value = row[j - 1]! + 1
      diagonal = above
      row[j] = value
      if (value < least) least = value
    }
    if (least > limit) return limit + 1
  }
  const distance = row[b.length]!
  return distance > limit ? limit + 1 : distance
}

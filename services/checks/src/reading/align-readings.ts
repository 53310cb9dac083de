/**
 * Aligns the second reading to the first, one character for each of the first's (Levenshtein alignment; a space for a
 * character missing in the second). Null when the two have too little in common to be the same line.
 */
export function aligned(first: string, second: string): string | null {
  const rows = first.length + 1
  const columns = second.length + 1
  const cost = new Uint16Array(rows * columns)
  for (let i = 0; i < rows; i++) cost[i * columns] = i
  for (let j = 0; j < columns; j++) cost[j] = j
  for (let i = 1; i < rows; i++) {
    for (let j = 1; j < columns; j++) {
      const substitution = cost[(i - 1) * columns + j - 1]! + (first[i - 1] === second[j - 1] ? 0 : 1)
      const deletion = cost[(i - 1) * columns + j]! + 1
      const insertion = cost[i * columns + j - 1]! + 1
      cost[i * columns + j] = Math.min(substitution, deletion, insertion)
    }
  }
  if (cost[rows * columns - 1]! > first.length / 2) return null
  const out = new Array<string>(first.length).fill(' ')
  let i = first.length
  let j = second.length
  while (i > 0 && j > 0) {
    const here = cost[i * columns + j]!
    if (here === cost[(i - 1) * columns + j - 1]! + (first[i - 1] === second[j - 1] ? 0 : 1)) {
      out[i - 1] = second[j - 1]!
      i--
      j--
    } else if (here === cost[(i - 1) * columns + j]! + 1) i--
    else j--
  }
  return out.join('')
}

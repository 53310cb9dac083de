/**
 * At or above this cosine similarity, two SFace embeddings count as the same person. The threshold of the API, which
 * is the value that the model's authors publish (OpenCV Zoo).
 */
export const FACE_MATCH_THRESHOLD = 0.363

/** The vector scaled to length one. Throws on a vector of zero length, which no face has. */
export function normalized(vector: Float32Array): Float32Array {
  let squares = 0
  for (const value of vector) squares += value * value
  const length = Math.sqrt(squares)
  if (!(length > 0) || !Number.isFinite(length))
    throw new RangeError('an embedding must have a finite length')
  return vector.map((value) => value / length)
}

/** Cosine of the angle between two vectors of equal dimension, −1 to 1. */
export function cosineSimilarity(a: Float32Array, b: Float32Array): number {
  if (a.length !== b.length)
    throw new RangeError(`embeddings of ${a.length} and ${b.length} values do not compare`)
  let dot = 0
  let squaresA = 0
  let squaresB = 0
  for (let index = 0; index < a.length; index += 1) {
    const x = a[index]!
    const y = b[index]!
    dot += x * y
    squaresA += x * x
    squaresB += y * y
  }
  if (!(squaresA > 0) || !(squaresB > 0)) throw new RangeError('an embedding must have a length')
  return Math.min(1, Math.max(-1, dot / Math.sqrt(squaresA * squaresB)))
}

/** A similarity as returned by the API: six decimals, enough to reproduce a decision, without float noise. */
export const roundedSimilarity = (similarity: number): number => Math.round(similarity * 1e6) / 1e6

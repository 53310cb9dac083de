/**
 * Finds words one typing error away with the symmetric-delete method: two words at Damerau-Levenshtein distance 1
 * share a form with at most one letter deleted. Forms are stored as 32-bit hashes in sorted typed arrays; a hash
 * collision only adds a candidate that the later comparison rejects.
 */
export class DeletionIndex {
  readonly #hashes: Uint32Array
  readonly #ids: Uint32Array
  /** Start of the hashes with the same leading bits, so that a lookup searches only a few cache lines. */
  readonly #bucketStart = new Uint32Array(buckets + 1)

  /** `texts[id]` is the word of that id. Words shorter than `minLength` are not indexed. */
  constructor(texts: readonly string[]) {
    const forms: number[] = []
    texts.forEach((text, id) => {
      for (const hash of deletionHashes(text)) forms.push(hash * 2 ** 21 + id)
    })
    // One 53-bit number per form sorts natively: hash first, then id.
    const sorted = Float64Array.from(forms).sort()
    this.#hashes = Uint32Array.from(sorted, (form) => Math.floor(form / 2 ** 21))
    this.#ids = Uint32Array.from(sorted, (form) => form % 2 ** 21)
    for (const hash of this.#hashes) this.#bucketStart[(hash >>> bucketShift) + 1]! += 1
    for (let i = 1; i <= buckets; i++) this.#bucketStart[i]! += this.#bucketStart[i - 1]!
  }

  /** Calls `onCandidate` with the id of every word at distance at most 1. Can repeat an id or pass a false positive. */
  visit(text: string, onCandidate: (id: number) => void): void {
    for (const hash of deletionHashes(text)) {
      for (let i = this.#firstOf(hash); this.#hashes[i] === hash; i++) onCandidate(this.#ids[i]!)
    }
  }

  #firstOf(hash: number): number {
    const bucket = hash >>> bucketShift
    let low = this.#bucketStart[bucket]!
    let high = this.#bucketStart[bucket + 1]!
    while (low < high) {
      const middle = (low + high) >>> 1
      if (this.#hashes[middle]! < hash) low = middle + 1
      else high = middle
    }
    return low
  }
}

const minLength = 4
const buckets = 4_096
const bucketShift = 20

/** Hashes (FNV-1a, 32 bit) of the word and of the word without each of its letters. */
function deletionHashes(text: string): number[] {
  if (text.length < minLength) return []
  const hashes = [hashWithout(text, -1)]
  for (let i = 0; i < text.length; i++) {
    if (i > 0 && text[i] === text[i - 1]) continue
    hashes.push(hashWithout(text, i))
  }
  return hashes
}

function hashWithout(text: string, omitted: number): number {
  let hash = 0x811c9dc5
  for (let i = 0; i < text.length; i++) {
    if (i !== omitted) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193)
  }
  return hash >>> 0
}

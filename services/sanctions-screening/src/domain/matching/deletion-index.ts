/**
 * Words one typing error away, by their deletions: two words at Damerau-Levenshtein distance 1 share a form with at
 * most one letter left out (the symmetric-delete method). Forms are kept as 32-bit hashes in sorted typed arrays; a
 * collision only brings a candidate that the comparison then refuses.
 */
export class DeletionIndex {
  readonly #hashes: Uint32Array
  readonly #ids: Uint32Array
  /** Where hashes with these first bits begin: what is left to search is a few cache lines. */
  readonly #bucketStart = new Uint32Array(buckets + 1)

  /** `texts[id]` is the word of that id. Words shorter than `leastLength` have no neighbours. */
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
    for (let at = 1; at <= buckets; at++) this.#bucketStart[at]! += this.#bucketStart[at - 1]!
  }

  /** Calls `consider` with the id of every word at distance at most 1, and now and then of another, maybe repeatedly. */
  visit(text: string, consider: (id: number) => void): void {
    for (const hash of deletionHashes(text)) {
      for (let at = this.#firstOf(hash); this.#hashes[at] === hash; at++) consider(this.#ids[at]!)
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

const leastLength = 4
const buckets = 4_096
const bucketShift = 20

/** The word and the word without each of its letters, hashed (FNV-1a, 32 bit). */
function deletionHashes(text: string): number[] {
  if (text.length < leastLength) return []
  const hashes = [hashWithout(text, -1)]
  for (let at = 0; at < text.length; at++) {
    if (at > 0 && text[at] === text[at - 1]) continue
    hashes.push(hashWithout(text, at))
  }
  return hashes
}

function hashWithout(text: string, left: number): number {
  let hash = 0x811c9dc5
  for (let at = 0; at < text.length; at++) {
    if (at !== left) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  }
  return hash >>> 0
}

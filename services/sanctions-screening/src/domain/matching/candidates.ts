import { contradictionWeight, initialWeight, listedGapWeight, queryGapWeight } from './align.ts'
import type { DomainIndex } from './build.ts'
import { maxRoleWeight } from './parse-names.ts'
import type { PreparedQuery } from './query.ts'

type Candidate = {
  name: number
  /** The score of the alignment cannot exceed this. */
  upperBound: number
}

/** Added because 32-bit rounding must not push the bound below the true score. */
const roundingMargin = 1e-4

/**
 * Every listed name whose alignment with the query can reach `floor`, highest upper bound first. The bound is computed
 * from the posting lists of similar words. It assumes that no two query tokens compete for one listed word, and that
 * every minor word and initial matches a word of the maximum weight.
 */
export function findCandidates(query: PreparedQuery, index: DomainIndex, floor: number): Candidate[] {
  const {
    weightedSum,
    matchedWeight,
    coveredQueryWeight,
    tokenMatchedWeight,
    tokenSimilarity,
    lastToken,
    touchedNames,
  } = index.scratch
  const { postingStart, postingName, postingWeight } = index
  let touchedCount = 0
  let queryWeight = 0
  let maxQueryWeight = 0
  let queryInitials = 0
  query.tokens.forEach((token, i) => {
    if (token.initial) queryInitials++
    if (token.initial) return
    // The bound ignores the gaps of minor words on both sides.
    const weightInQuery = token.minor ? 0 : query.gapWeights[i]!
    queryWeight += weightInQuery
    if (weightInQuery > maxQueryWeight) maxQueryWeight = weightInQuery
    const { ids, similarities } = token.similar
    for (let k = 0; k < ids.length; k++) {
      const word = ids[k]!
      const similarity = similarities[k]!
      for (let posting = postingStart[word]!; posting < postingStart[word + 1]!; posting++) {
        const name = postingName[posting]!
        const previousToken = lastToken[name]!
        const weight = postingWeight[posting]!
        if (previousToken === i + 1) {
          // Another word of the name is similar too, but not more similar. The bound must use the heavier of the two.
          const extraWeight = weight - tokenMatchedWeight[name]!
          if (extraWeight > 0) {
            weightedSum[name]! += extraWeight * tokenSimilarity[name]!
            matchedWeight[name]! += extraWeight
            tokenMatchedWeight[name] = weight
          }
          continue
        }
        if (previousToken === 0) touchedNames[touchedCount++] = name
        lastToken[name] = i + 1
        tokenMatchedWeight[name] = weight
        tokenSimilarity[name] = similarity
        weightedSum[name]! += weight * similarity
        matchedWeight[name]! += weight
        coveredQueryWeight[name]! += weightInQuery
      }
    }
  })
  const sortKeys: number[] = []
  for (let position = 0; position < touchedCount; position++) {
    const name = touchedNames[position]!
    const listedInitials = index.nameInitials[name]!
    const minorWeight =
      index.nameMinorWeight[name]! +
      initialWeight * (listedInitials * maxQueryWeight + queryInitials * maxRoleWeight)
    const queryGap = Math.max(0, queryWeight - coveredQueryWeight[name]! - listedInitials * maxQueryWeight)
    const listedGap = Math.max(
      0,
      index.nameWeight[name]! - matchedWeight[name]! - queryInitials * maxRoleWeight,
    )
    const gapCost =
      queryGapWeight * queryGap +
      listedGapWeight * listedGap +
      contradictionWeight * Math.min(queryGap, listedGap)
    const totalWeight = matchedWeight[name]! + minorWeight + gapCost
    const upperBound = Math.min(1, (weightedSum[name]! + minorWeight) / totalWeight + roundingMargin)
    if (upperBound >= floor) sortKeys.push(sortKeyOf(name, upperBound))
    weightedSum[name] = 0
    matchedWeight[name] = 0
    coveredQueryWeight[name] = 0
    lastToken[name] = 0
  }
  return Array.from(Float64Array.from(sortKeys).sort(), candidateOf)
}

// One number per candidate sorts natively: 1 - upperBound, rounded down, in the high bits, the name in the low bits.
const boundResolution = 2 ** 20
const maxNames = 2 ** 32

function sortKeyOf(name: number, upperBound: number): number {
  return Math.floor((1 - upperBound) * boundResolution) * maxNames + name
}

function candidateOf(key: number): Candidate {
  return { name: key % maxNames, upperBound: 1 - Math.floor(key / maxNames) / boundResolution }
}

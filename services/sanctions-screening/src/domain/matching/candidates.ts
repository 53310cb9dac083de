import { conflictWeight, initialWeight, listedGapWeight, queryGapWeight } from './align.ts'
import type { DomainIndex } from './build.ts'
import { heaviestListed } from './parse-names.ts'
import type { PreparedQuery } from './query.ts'

export interface Candidate {
  name: number
  /** The alignment's score cannot be higher. */
  bound: number
}

/** Arithmetic in 32-bit floats: the bound must not lose by rounding. */
const rounding = 1e-4

/**
 * Every listed name whose alignment with the query may reach `floor`, from the postings of the words alike to the
 * query's. The bound assumes that no two words of the query compete for one listed word, and that small words and
 * initials all agree, each with the heaviest word there can be.
 */
export function findCandidates(query: PreparedQuery, index: DomainIndex, floor: number): Candidate[] {
  const { gained, matched, covered, matchedWith, valueWith, seenBy, touched } = index.scratch
  const { postingStart, postingName, postingWeight } = index
  let found = 0
  let queryWeight = 0
  let heaviest = 0
  let initials = 0
  query.tokens.forEach((token, at) => {
    if (token.initial) initials++
    if (token.initial) return
    // The gap of a small word is left out of the bound on both sides.
    const weightInQuery = token.small ? 0 : query.gaps[at]!
    queryWeight += weightInQuery
    if (weightInQuery > heaviest) heaviest = weightInQuery
    const { ids, values } = token.similar
    for (let like = 0; like < ids.length; like++) {
      const word = ids[like]!
      const value = values[like]!
      for (let posting = postingStart[word]!; posting < postingStart[word + 1]!; posting++) {
        const name = postingName[posting]!
        const last = seenBy[name]!
        const weight = postingWeight[posting]!
        if (last === at + 1) {
          // A second word of the name is like it, at most as like: the heavier of the two may be the one aligned.
          const more = weight - matchedWith[name]!
          if (more > 0) {
            gained[name]! += more * valueWith[name]!
            matched[name]! += more
            matchedWith[name] = weight
          }
          continue
        }
        if (last === 0) touched[found++] = name
        seenBy[name] = at + 1
        matchedWith[name] = weight
        valueWith[name] = value
        gained[name]! += weight * value
        matched[name]! += weight
        covered[name]! += weightInQuery
      }
    }
  })
  const keys: number[] = []
  for (let position = 0; position < found; position++) {
    const name = touched[position]!
    const letters = index.nameInitials[name]!
    const small =
      index.nameSmallWeight[name]! + initialWeight * (letters * heaviest + initials * heaviestListed)
    const queryGap = Math.max(0, queryWeight - covered[name]! - letters * heaviest)
    const listedGap = Math.max(0, index.nameWeight[name]! - matched[name]! - initials * heaviestListed)
    const gaps =
      queryGapWeight * queryGap + listedGapWeight * listedGap + conflictWeight * Math.min(queryGap, listedGap)
    const whole = matched[name]! + small + gaps
    const bound = Math.min(1, (gained[name]! + small) / whole + rounding)
    if (bound >= floor) keys.push(keyOf(name, bound))
    gained[name] = 0
    matched[name] = 0
    covered[name] = 0
    seenBy[name] = 0
  }
  return Array.from(Float64Array.from(keys).sort(), candidateOf)
}

// One number a candidate sorts natively: what the bound lacks of 1, rounded down, then the name.
const boundSteps = 2 ** 20
const mostNames = 2 ** 32

function keyOf(name: number, bound: number): number {
  return Math.floor((1 - bound) * boundSteps) * mostNames + name
}

function candidateOf(key: number): Candidate {
  return { name: key % mostNames, bound: 1 - Math.floor(key / mostNames) / boundSteps }
}

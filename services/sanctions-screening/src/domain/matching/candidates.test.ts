import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { testList } from '../../../test/fixtures/test-list.ts'
import { alignName } from './align.ts'
import { buildIndex, buildIndexInSteps } from './build.ts'
import { findCandidates } from './candidates.ts'
import { DeletionIndex } from './deletion-index.ts'
import { screen } from './index.ts'
import { prepareQuery } from './query.ts'

const parts = [
  'Ali',
  'Hassan',
  'al-Din',
  'Petrov',
  'Petrova',
  'K.',
  'Yusuf',
  'Youssef',
  'Abdul',
  'Maria',
  'Kim',
  'Ben',
  'Haji',
  'O',
  'Lavrenty',
]
const nameOf = (seed: number) =>
  [0, 1, 2, 3]
    .slice(0, 2 + (seed % 3))
    .map((i) => parts[(seed * (i + 3) + i * 7) % parts.length])
    .join(' ')
const names = Array.from({ length: 120 }, (_, seed) => nameOf(seed))
const index = buildIndex([testList(names)])

describe('findCandidates', () => {
  test('returns every name that reaches the floor, with an upper bound not below its score', () => {
    const query = fc.array(fc.constantFrom(...parts, 'Lavrentiy', 'Hasan', 'Petrof', 'Xu'), {
      minLength: 1,
      maxLength: 5,
    })
    fc.assert(
      fc.property(query, fc.constantFrom(0.3, 0.6, 0.8), (words, floor) => {
        for (const variant of prepareQuery(words.join(' '), index.person)) {
          const bounds = new Map(
            findCandidates(variant, index.person, floor).map(({ name, upperBound }) => [name, upperBound]),
          )
          for (let name = 0; name < index.person.nameCount; name++) {
            const { score } = alignName(variant, name, index.person)
            if (score >= floor) expect(bounds.get(name) ?? 0).toBeGreaterThanOrEqual(score)
          }
        }
      }),
      { numRuns: 100 },
    )
  })
})

test('an index built in steps gives the same answers as one built without yielding', async () => {
  const stepwise = await buildIndexInSteps([testList(names)])
  for (const full_name of names.slice(0, 20)) {
    const options = { floor: 0.5, limit: 10 }
    expect(screen(stepwise, { full_name }, options)).toEqual(screen(index, { full_name }, options))
  }
})

test('the deletion index finds every word one typing error away', () => {
  const words = ['rotenfeld', 'kashif', 'petrov', 'abcd']
  const deletions = new DeletionIndex(words)
  const letter = fc.constantFrom(...'abcdefghijklmnopqrstuvwxyz')
  fc.assert(
    fc.property(
      fc.nat(words.length - 1),
      fc.nat(20),
      letter,
      fc.constantFrom('cut', 'put', 'set', 'swap'),
      (id, place, other, error) => {
        const word = words[id]!
        const i = place % (word.length - 1)
        const wrong = {
          cut: word.slice(0, i) + word.slice(i + 1),
          put: word.slice(0, i) + other + word.slice(i),
          set: word.slice(0, i) + other + word.slice(i + 1),
          swap: word.slice(0, i) + word[i + 1] + word[i] + word.slice(i + 2),
        }[error]
        const found: number[] = []
        deletions.visit(wrong, (near) => found.push(near))
        if (wrong.length >= 4) expect(found).toContain(id)
      },
    ),
  )
})

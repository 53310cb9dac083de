import { describe, expect, test } from '@jest/globals'
import { entities, entity, sanctionsList } from '../../../test/fixtures/entities.ts'
import type { SanctionsList } from '../entity.ts'
import { checkReplacement } from './check-replacement.ts'
import { ListRejectedError } from './rejection.ts'

const now = new Date('2026-03-01T12:00:00Z')
const current = sanctionsList(entities(1_000))

function reasonAgainst(candidate: SanctionsList, serving: SanctionsList | null = current): string {
  try {
    checkReplacement(candidate, serving, now)
    return 'taken'
  } catch (error) {
    if (error instanceof ListRejectedError) return error.code
    throw error
  }
}

describe('a new publication', () => {
  test('with ordinary changes is taken', () => {
    expect(
      reasonAgainst(sanctionsList([...entities(980, 20), ...entities(60, 5_000)], '2026-02-20T00:00:00Z')),
    ).toBe('taken')
    expect(reasonAgainst(current)).toBe('taken')
  })

  test('of a later day than tomorrow is refused, of tomorrow not: publishers are in many time zones', () => {
    expect(reasonAgainst(sanctionsList(entities(1_000), '2026-03-02T12:00:00Z'))).toBe('taken')
    expect(reasonAgainst(sanctionsList(entities(1_000), '2026-03-05T00:00:00Z'))).toBe('future')
  })

  test('before the one that serves is refused', () => {
    expect(reasonAgainst(sanctionsList(entities(1_000), '2026-01-31T00:00:00Z'))).toBe('older')
  })

  test('that loses or gains too much at once is refused', () => {
    expect(reasonAgainst(sanctionsList(entities(800)))).toBe('implausible_change')
    expect(reasonAgainst(sanctionsList([...entities(1_000), ...entities(400, 5_000)]))).toBe(
      'implausible_change',
    )
  })

  test('may have changed more, the longer it is since the last', () => {
    const grown = [...entities(950, 50), ...entities(600, 5_000)]
    expect(reasonAgainst(sanctionsList(grown, '2026-02-20T00:00:00Z'))).toBe('implausible_change')
    const old = sanctionsList(entities(1_000), '2025-10-01T00:00:00Z')
    expect(reasonAgainst(sanctionsList(grown, '2026-02-20T00:00:00Z'), old)).toBe('taken')
  })

  test('with other numbers for the same entries is refused', () => {
    expect(reasonAgainst(sanctionsList(entities(1_000, 100_000)))).toBe('implausible_change')
  })

  test('that lost a whole type, its aliases or its birth dates is refused', () => {
    const mixed = sanctionsList([...entities(900), ...entities(100, 5_000, { type: 'organization' })])
    const noOrganizations = [...entities(900), ...entities(100, 5_000)]
    expect(reasonAgainst(sanctionsList(noOrganizations), mixed)).toBe('implausible_change')
    const [primary] = entity('x').names
    expect(reasonAgainst(sanctionsList(entities(1_000, 0, { names: primary ? [primary] : [] })))).toBe(
      'implausible_change',
    )
    expect(reasonAgainst(sanctionsList(entities(1_000, 0, { dates_of_birth: [] })))).toBe(
      'implausible_change',
    )
  })

  test('of another list is refused', () => {
    expect(reasonAgainst({ ...current, id: 'eu_fsf' })).toBe('wrong_list')
  })

  test('as the first must be a whole list', () => {
    expect(reasonAgainst(sanctionsList(entities(299)), null)).toBe('implausible_change')
    expect(reasonAgainst(sanctionsList(entities(300)), null)).toBe('taken')
  })
})

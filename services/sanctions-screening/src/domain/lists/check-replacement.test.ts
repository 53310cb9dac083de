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
    return 'accepted'
  } catch (error) {
    if (error instanceof ListRejectedError) return error.code
    throw error
  }
}

describe('a new publication', () => {
  test('with ordinary changes is accepted', () => {
    expect(
      reasonAgainst(sanctionsList([...entities(980, 20), ...entities(60, 5_000)], '2026-02-20T00:00:00Z')),
    ).toBe('accepted')
    expect(reasonAgainst(current)).toBe('accepted')
  })

  test('is rejected when dated later than tomorrow (publishers are in many time zones)', () => {
    expect(reasonAgainst(sanctionsList(entities(1_000), '2026-03-02T12:00:00Z'))).toBe('accepted')
    expect(reasonAgainst(sanctionsList(entities(1_000), '2026-03-05T00:00:00Z'))).toBe('future')
  })

  test('is rejected when older than the active version', () => {
    expect(reasonAgainst(sanctionsList(entities(1_000), '2026-01-31T00:00:00Z'))).toBe('older')
  })

  test('is rejected when too many entries are added or removed at once', () => {
    expect(reasonAgainst(sanctionsList(entities(800)))).toBe('implausible_change')
    expect(reasonAgainst(sanctionsList([...entities(1_000), ...entities(400, 5_000)]))).toBe(
      'implausible_change',
    )
  })

  test('may change more, the older the active version is', () => {
    const grown = [...entities(950, 50), ...entities(600, 5_000)]
    expect(reasonAgainst(sanctionsList(grown, '2026-02-20T00:00:00Z'))).toBe('implausible_change')
    const old = sanctionsList(entities(1_000), '2025-10-01T00:00:00Z')
    expect(reasonAgainst(sanctionsList(grown, '2026-02-20T00:00:00Z'), old)).toBe('accepted')
  })

  test('is rejected when all ids change', () => {
    expect(reasonAgainst(sanctionsList(entities(1_000, 100_000)))).toBe('implausible_change')
  })

  test('is rejected when it lost a whole entity type, its aliases or its birth dates', () => {
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

  test('is rejected when it is another list', () => {
    expect(reasonAgainst({ ...current, id: 'eu_fsf' })).toBe('wrong_list')
  })

  test('must have the size of a complete list when it is the first', () => {
    expect(reasonAgainst(sanctionsList(entities(299)), null)).toBe('implausible_change')
    expect(reasonAgainst(sanctionsList(entities(300)), null)).toBe('accepted')
  })
})

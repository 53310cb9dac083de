import { type IdentitySource, statusOf, type Warning, warningOf } from '@kyc/common'

export interface AgeResult {
  readonly status: 'passed' | 'warning' | 'failed'
  readonly data: { age: number | null; minimum: number; basis: IdentitySource | null }
  readonly warnings: Warning[]
}

/** Full years between a birth date (`YYYY-MM-DD`) and a day in UTC. A person born on 29 February ages on 1 March. */
export function ageOn(birthDate: string, today: Date): number {
  const [year, month, day] = birthDate.split('-').map(Number) as [number, number, number]
  const before =
    today.getUTCMonth() + 1 < month || (today.getUTCMonth() + 1 === month && today.getUTCDate() < day)
  return today.getUTCFullYear() - year - (before ? 1 : 0)
}

/** Whether the person has reached the minimum age. `basis` is the source of the birth date. */
export function ageCheck(
  birthDate: string | null,
  basis: IdentitySource | null,
  minimum: number,
  today: Date,
): AgeResult {
  const warnings: Warning[] = []
  const age = birthDate === null ? null : ageOn(birthDate, today)
  if (age === null) {
    warnings.push(
      warningOf('age', 'age_not_determined', 'No birth date could be read.', { field: 'date_of_birth' }),
    )
  } else if (age < minimum) {
    warnings.push(
      warningOf('age', 'age_below_minimum', 'The person is younger than required.', {
        field: 'date_of_birth',
        details: { minimum },
      }),
    )
  }
  return { status: statusOf(warnings), data: { age, minimum, basis: age === null ? null : basis }, warnings }
}

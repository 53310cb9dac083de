import type { EntityType, ListId, SanctionsList } from '../entity.ts'
import { ListRejectedError } from './rejection.ts'

const dayMs = 86_400_000
/** Allows for the clocks and time zones of publishers. */
const futureToleranceMs = 2 * dayMs

/**
 * Minimum size of a complete list. A first download with fewer entries is only part of a list. Well below every
 * published size since 2022.
 */
const minEntities: Readonly<Record<ListId, number>> = {
  us_ofac_sdn: 5_000,
  us_ofac_cons: 100,
  un_sc: 300,
  eu_fsf: 1_000,
  uk_sanctions: 1_000,
  ch_seco: 500,
  ca_sema: 1_000,
  au_dfat: 500,
}

/**
 * Largest plausible share of removed and of added entries between two versions, plus a share for each month between
 * them.
 */
const maxRemovedShare = 0.15
const maxAddedShare = 0.25
const addedSharePerMonth = 0.1
/** A change of this many entries is plausible in any list. */
const alwaysPlausible = 50

/**
 * Checks that a downloaded list is a plausible successor of the active version.
 * @throws ListRejectedError `wrong_list`, `future`, `older`, `implausible_change`
 */
export function checkReplacement(candidate: SanctionsList, current: SanctionsList | null, now: Date): void {
  checkPublished(candidate, now)
  if (current === null) {
    const minimum = minEntities[candidate.id]
    if (candidate.entities.length < minimum) {
      throw new ListRejectedError(
        'implausible_change',
        `${candidate.entities.length} entries, but a complete list has at least ${minimum}`,
      )
    }
    return
  }
  if (candidate.id !== current.id)
    throw new ListRejectedError('wrong_list', `the file is the list ${candidate.id}, expected ${current.id}`)
  if (
    candidate.published_at !== null &&
    current.published_at !== null &&
    candidate.published_at < current.published_at
  ) {
    throw new ListRejectedError(
      'older',
      `published on ${candidate.published_at}, before the active version (${current.published_at})`,
    )
  }
  checkChange(candidate, current)
}

/** @throws ListRejectedError `future` for a publication date in the future */
export function checkPublished(candidate: SanctionsList, now: Date): void {
  if (
    candidate.published_at !== null &&
    Date.parse(candidate.published_at) > now.getTime() + futureToleranceMs
  ) {
    throw new ListRejectedError('future', `published on ${candidate.published_at}, which is in the future`)
  }
}

function checkChange(candidate: SanctionsList, current: SanctionsList): void {
  const ids = new Set(candidate.entities.map((entity) => entity.id))
  const common = current.entities.filter((entity) => ids.has(entity.id)).length
  const removed = current.entities.length - common
  const added = candidate.entities.length - common
  const months = monthsBetween(current, candidate)
  const size = current.entities.length
  if (removed > Math.max(alwaysPlausible, size * (maxRemovedShare + months * addedSharePerMonth))) {
    throw new ListRejectedError(
      'implausible_change',
      `${removed} of ${size} entries would be removed at once`,
    )
  }
  if (added > Math.max(alwaysPlausible, size * (maxAddedShare + months * addedSharePerMonth))) {
    throw new ListRejectedError('implausible_change', `${added} entries would be added at once to ${size}`)
  }
  for (const type of ['person', 'organization'] satisfies EntityType[]) {
    const before = current.entities.filter((entity) => entity.type === type).length
    if (before > alwaysPlausible && !candidate.entities.some((entity) => entity.type === type)) {
      throw new ListRejectedError(
        'implausible_change',
        `all ${before} entries of type ${type} would be removed`,
      )
    }
  }
  checkDetails(candidate, current)
}

/** A file can contain all entries without their aliases or dates, for example when a part of OFAC's CSV is missing. */
function checkDetails(candidate: SanctionsList, current: SanctionsList): void {
  const names = (list: SanctionsList): number =>
    list.entities.reduce((sum, entity) => sum + entity.names.length, 0) / list.entities.length
  const dated = (list: SanctionsList): number =>
    list.entities.filter((entity) => entity.dates_of_birth.length > 0).length / list.entities.length
  if (current.entities.length < alwaysPlausible) return
  if (names(candidate) < 1 + (names(current) - 1) / 2) {
    throw new ListRejectedError('implausible_change', 'most aliases would be removed')
  }
  if (dated(candidate) < dated(current) / 2) {
    throw new ListRejectedError('implausible_change', 'most birth dates would be removed')
  }
}

function monthsBetween(current: SanctionsList, candidate: SanctionsList): number {
  const from = Date.parse(current.published_at ?? current.fetched_at)
  const to = Date.parse(candidate.published_at ?? candidate.fetched_at)
  return Math.max(0, (to - from) / (30 * dayMs))
}

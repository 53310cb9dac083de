import { createHash } from 'node:crypto'
import { formatBirthDate, type ListedEntity, type ListId } from '../entity.ts'
import { type Alignment, alignName } from './align.ts'
import type { DomainIndex, ScreeningIndex } from './build.ts'
import { findCandidates } from './candidates.ts'
import { dateOfBirthMatches } from './dates.ts'
import { explain, roundScore } from './explain.ts'
import { foldText } from './fold.ts'
import { type PreparedQuery, prepareQuery } from './query.ts'
import { TopMatches } from './top-matches.ts'
import type { Adjustment, Match, ScreeningOptions, ScreeningQuery } from './types.ts'

const dateMatchDelta = 0.05
const dateMismatchDelta = -0.1
/** Ranks an alias that its publisher marks as weak below other names. */
const weakAliasDelta = -0.05

type ScoredName = {
  entity: number
  index: DomainIndex
  query: PreparedQuery
  name: number
  alignment: Alignment
  adjustments: Adjustment[]
  nameScore: number
  score: number
  dateMatch: boolean | null
  /** The query equals this name apart from case and diacritics. */
  sameText: boolean
}

/**
 * The listed entities with a name similar to the query, highest `score` first, one match per entity (its best name).
 * The result is exact: every entity that is not returned scores below `floor` or ranks below all returned ones.
 */
export function screen(index: ScreeningIndex, query: ScreeningQuery, options: ScreeningOptions): Match[] {
  const request = toSearchRequest(query, options)
  const best = new TopMatches<ScoredName>(options.limit, byRank)
  for (const domain of domainsFor(index, query)) {
    for (const variant of prepareQuery(query.full_name, domain))
      searchVariant(index, domain, variant, request, best)
  }
  return best.ranked().map((found) => toMatch(index, found, query))
}

type SearchRequest = {
  query: ScreeningQuery
  options: ScreeningOptions
  lists: ReadonlySet<string> | null
  text: string
  /** The most that a birth date can add to a name score. */
  maxDateBonus: number
}

function toSearchRequest(query: ScreeningQuery, options: ScreeningOptions): SearchRequest {
  const lists = options.lists === undefined || options.lists === null ? null : new Set(options.lists)
  const hasDate = query.date_of_birth !== undefined && query.date_of_birth !== null
  return {
    query,
    options,
    lists,
    text: comparableText(query.full_name),
    maxDateBonus: hasDate ? dateMatchDelta : 0,
  }
}

function comparableText(name: string): string {
  return foldText(name).replace(/\s+/g, ' ').trim()
}

function domainsFor(index: ScreeningIndex, query: ScreeningQuery): DomainIndex[] {
  if (query.entity_type === undefined || query.entity_type === null) return [index.person, index.object]
  return [query.entity_type === 'person' ? index.person : index.object]
}

function searchVariant(
  index: ScreeningIndex,
  domain: DomainIndex,
  variant: PreparedQuery,
  request: SearchRequest,
  best: TopMatches<ScoredName>,
): void {
  for (const { name, upperBound } of findCandidates(variant, domain, request.options.floor)) {
    if (upperBound + request.maxDateBonus < best.minScore) break
    const position = domain.nameEntity[name]!
    const entity = index.entities[position]!
    if (!isInScope(entity, request)) continue
    const found = evaluate(entity, position, variant, name, domain, request)
    if (found.nameScore >= request.options.floor) best.add(found)
  }
}

function isInScope(entity: ListedEntity, { lists, query }: SearchRequest): boolean {
  if (lists !== null && !lists.has(entity.list)) return false
  return query.entity_type === undefined || query.entity_type === null || query.entity_type === entity.type
}

function evaluate(
  entity: ListedEntity,
  position: number,
  query: PreparedQuery,
  name: number,
  index: DomainIndex,
  request: SearchRequest,
): ScoredName {
  const alignment = alignName(query, name, index)
  const listed = entity.names[index.nameOrdinal[name]!]!
  const adjustments: Adjustment[] = []
  if (listed.quality === 'weak_alias') adjustments.push({ code: 'weak_alias', delta: weakAliasDelta })
  const nameScore = roundScore(Math.max(0, alignment.score + (adjustments[0]?.delta ?? 0)))
  const dateMatch = dateOfBirthMatches(request.query.date_of_birth, entity.dates_of_birth)
  if (dateMatch !== null) {
    adjustments.push(
      dateMatch
        ? { code: 'date_of_birth_match', delta: dateMatchDelta }
        : { code: 'date_of_birth_mismatch', delta: dateMismatchDelta },
    )
  }
  const adjusted = roundScore(
    nameScore + (dateMatch === null ? 0 : dateMatch ? dateMatchDelta : dateMismatchDelta),
  )
  const score = Math.min(1, Math.max(0, adjusted))
  if (score !== adjusted) adjustments.push({ code: 'clamp', delta: roundScore(score - adjusted) })
  // Skip the comparison for partial matches: only a name that matches completely can be the same text.
  const sameText = nameScore === 1 && comparableText(listed.full) === request.text
  return {
    entity: position,
    index,
    query,
    name,
    alignment,
    adjustments,
    nameScore,
    score,
    dateMatch,
    sameText,
  }
}

/**
 * Highest score first, then the higher name score, the same text, the primary name before aliases, the earlier
 * entity.
 */
function byRank(a: ScoredName, b: ScoredName): number {
  return (
    b.score - a.score ||
    b.nameScore - a.nameScore ||
    Number(b.sameText) - Number(a.sameText) ||
    ordinalRank(a) - ordinalRank(b) ||
    a.entity - b.entity
  )
}

function ordinalRank({ index, name }: ScoredName): number {
  return index.nameOrdinal[name]!
}

function toMatch(index: ScreeningIndex, found: ScoredName, query: ScreeningQuery): Match {
  const entity = index.entities[found.entity]!
  const listed = entity.names[found.index.nameOrdinal[found.name]!]!
  const asksNationality = query.nationality !== undefined && query.nationality !== null
  return {
    match_id: matchId(entity.list, entity.id),
    list: entity.list,
    list_version: index.versions.get(entity.list) ?? '',
    entity_id: entity.id,
    entity_type: entity.type,
    name: entity.names[0]!.full,
    matched_name: listed.full,
    matched_name_type: listed.quality,
    score: found.score,
    name_score: found.nameScore,
    date_of_birth_match: found.dateMatch,
    dates_of_birth: entity.dates_of_birth.map(formatBirthDate),
    nationalities: [...entity.nationalities],
    ...(asksNationality && entity.nationalities.length > 0
      ? { nationality_match: entity.nationalities.includes(query.nationality!.toUpperCase()) }
      : {}),
    programs: [...entity.programs],
    listed_on: entity.listed_on,
    remarks: entity.remarks,
    source_url: entity.source_url,
    explanation: explain(found.query, found.alignment, found.index, found.adjustments, found.score),
  }
}

/** Stable across list updates and processes. */
function matchId(list: ListId, entityId: string): string {
  return `mat_${createHash('sha256').update(`${list}\n${entityId}`).digest('hex').slice(0, 24)}`
}

import type {
  EntityType,
  IdentifierType,
  ListedBirthDate,
  ListedEntity,
  ListedIdentifier,
  ListedName,
  ListedPlace,
  ListId,
  NameParts,
  NameQuality,
} from '../domain/entity.ts'
import { clean, cleanValue } from './text/clean.ts'
import { scriptOf } from './text/script.ts'

const rank: Record<NameQuality, number> = { primary: 0, alias: 1, weak_alias: 2 }

/** Collects the data of one entity in any order and builds its normal form: cleaned and without duplicates. */
export class EntityBuilder {
  readonly list: ListId
  readonly id: string
  type: EntityType
  listedOn: string | null = null
  sourceUrl: string | null = null
  readonly #names = new Map<string, ListedName>()
  readonly #birthDates = new Map<string, ListedBirthDate>()
  readonly #nationalities = new Set<string>()
  readonly #places = new Map<string, ListedPlace>()
  readonly #identifiers = new Map<string, ListedIdentifier>()
  readonly #programs = new Set<string>()
  readonly #remarks = new Set<string>()
  /**
   * Raw texts already added. Files with one row per detail repeat long texts hundreds of times, so cleaning is
   * skipped.
   */
  readonly #seen = new Set<string>()

  constructor(list: ListId, id: string, type: EntityType) {
    this.list = list
    this.id = id
    this.type = type
  }

  /** When a spelling occurs twice, the better quality is retained. */
  addName(full: string | null | undefined, quality: NameQuality, parts?: NameParts): void {
    const text = cleanValue(full)
    if (text === null || !/\p{L}|\p{N}/u.test(text)) return
    const key = text.toLowerCase()
    const known = this.#names.get(key)
    if (known !== undefined && rank[known.quality] <= rank[quality]) return
    const name: ListedName = { full: text, quality }
    const cleaned = cleanParts(parts)
    if (cleaned !== undefined) name.parts = cleaned
    const script = scriptOf(text)
    if (script !== undefined) name.script = script
    this.#names.set(key, name)
  }

  hasPrimary(): boolean {
    return [...this.#names.values()].some((name) => name.quality === 'primary')
  }

  addBirthDate(birth: ListedBirthDate | null): void {
    if (birth !== null) this.#birthDates.set(JSON.stringify(birth), birth)
  }

  addNationality(...codes: readonly (string | null)[]): void {
    for (const code of codes) if (code !== null) this.#nationalities.add(code)
  }

  addPlace(kind: ListedPlace['kind'], text: string | null | undefined, country: string | null): void {
    if (!text || this.#isRepeat(`${kind} ${text}`)) return
    const value = cleanValue(text)
    if (value !== null) this.#places.set(`${kind} ${value.toLowerCase()}`, { kind, text: value, country })
  }

  addIdentifier(type: IdentifierType, value: string | null | undefined, country: string | null = null): void {
    const text = cleanValue(value)
    if (text !== null) this.#identifiers.set(`${type} ${text.toLowerCase()}`, { type, value: text, country })
  }

  addProgram(text: string | null | undefined): void {
    const value = clean(text)
    if (value !== null) this.#programs.add(value)
  }

  addRemark(text: string | null | undefined): void {
    if (!text || this.#isRepeat(`remark ${text}`)) return
    const value = cleanValue(text)
    if (value !== null) this.#remarks.add(value)
  }

  #isRepeat(text: string): boolean {
    if (this.#seen.has(text)) return true
    this.#seen.add(text)
    return false
  }

  /** Null for an entry without a name, because it cannot be matched. */
  build(): ListedEntity | null {
    const names = this.#orderedNames()
    if (names.length === 0) return null
    return {
      list: this.list,
      id: this.id,
      type: this.type,
      names,
      dates_of_birth: [...this.#birthDates.values()],
      nationalities: [...this.#nationalities],
      places: [...this.#places.values()],
      identifiers: [...this.#identifiers.values()],
      programs: [...this.#programs],
      listed_on: this.listedOn,
      remarks: this.#remarks.size === 0 ? null : [...this.#remarks].join('; '),
      source_url: this.sourceUrl,
    }
  }

  /** Primary names first. When the list marks none, the first Latin name that is not weak becomes the primary name. */
  #orderedNames(): ListedName[] {
    const names = [...this.#names.values()]
    if (names.length > 0 && !this.hasPrimary()) {
      const chosen =
        names.find((name) => name.quality === 'alias' && name.script === undefined) ??
        names.find((name) => name.quality === 'alias') ??
        names[0]
      if (chosen !== undefined) chosen.quality = 'primary'
    }
    return names.sort((a, b) => rank[a.quality] - rank[b.quality])
  }
}

function cleanParts(parts: NameParts | undefined): NameParts | undefined {
  if (parts === undefined) return undefined
  const cleaned: NameParts = {}
  const first = cleanValue(parts.first)
  const middle = cleanValue(parts.middle)
  const last = cleanValue(parts.last)
  if (first !== null) cleaned.first = first
  if (middle !== null) cleaned.middle = middle
  if (last !== null) cleaned.last = last
  return Object.keys(cleaned).length === 0 ? undefined : cleaned
}

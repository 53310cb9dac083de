import type { EntityType, ListedEntity, ListedName, ListId, SanctionsList } from '../entity.ts'

/** What a test says of an entity; the rest is empty. */
export type TestEntity = Partial<Omit<ListedEntity, 'names'>> & {
  names: readonly (string | ListedName)[]
}

/** A list of invented entities; ids count from 1. */
export function testList(
  entities: readonly (string | TestEntity)[],
  type: EntityType = 'person',
  id: ListId = 'un_sc',
): SanctionsList {
  return {
    id,
    version: '2026-01-01.test',
    fetched_at: '2026-01-01T00:00:00Z',
    published_at: null,
    entities: entities.map((entity, i) => completeEntity(entity, String(i + 1), type, id)),
  }
}

function completeEntity(
  entity: string | TestEntity,
  id: string,
  type: EntityType,
  list: ListId,
): ListedEntity {
  const given: TestEntity = typeof entity === 'string' ? { names: [entity] } : entity
  return {
    list,
    id,
    type,
    dates_of_birth: [],
    nationalities: [],
    places: [],
    identifiers: [],
    programs: [],
    listed_on: null,
    remarks: null,
    source_url: null,
    ...given,
    names: given.names.map((name, i) =>
      typeof name === 'string' ? { full: name, quality: i === 0 ? 'primary' : 'alias' } : name,
    ),
  }
}

import type { ListedEntity, SanctionsList } from '../domain/entity.ts'
import { entityHash } from '../domain/lists/list-delta.ts'

/** Entities by id, cached for as long as their list is in memory. */
const entitiesByList = new WeakMap<SanctionsList, Map<string, ListedEntity>>()

/** The version of an entity in a list; null when the list does not contain it. */
export function entityVersion(list: SanctionsList, entityId: string): string | null {
  let entities = entitiesByList.get(list)
  if (entities === undefined) {
    entities = new Map(list.entities.map((entity) => [entity.id, entity]))
    entitiesByList.set(list, entities)
  }
  const entity = entities.get(entityId)
  return entity === undefined ? null : entityHash(entity)
}

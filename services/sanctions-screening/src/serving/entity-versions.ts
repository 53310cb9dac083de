import type { ListedEntity, SanctionsList } from '../domain/entity.ts'
import { entityHash } from '../lists/delta.ts'

const entitiesOfList = new WeakMap<SanctionsList, Map<string, ListedEntity>>()

/** The version of an entity in a list as published; null when the list does not have it. */
export function entityVersion(list: SanctionsList, entityId: string): string | null {
  let entities = entitiesOfList.get(list)
  if (entities === undefined) {
    entities = new Map(list.entities.map((entity) => [entity.id, entity]))
    entitiesOfList.set(list, entities)
  }
  const entity = entities.get(entityId)
  return entity === undefined ? null : entityHash(entity)
}

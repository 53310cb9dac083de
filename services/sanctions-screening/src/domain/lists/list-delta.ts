import { createHash } from 'node:crypto'
import type { ListedEntity } from '../entity.ts'

export type ListDelta = {
  /** Entity ids in list order. Removed ids have the order of the older list. */
  added: string[]
  changed: string[]
  removed: string[]
}

/** The difference between two versions of a list. A different source URL alone does not count as a change. */
export function listDelta(older: readonly ListedEntity[], newer: readonly ListedEntity[]): ListDelta {
  const before = new Map(older.map((entity) => [entity.id, entityHash(entity)]))
  const after = new Set(newer.map((entity) => entity.id))
  const delta: ListDelta = { added: [], changed: [], removed: [] }
  for (const entity of newer) {
    const known = before.get(entity.id)
    if (known === undefined) delta.added.push(entity.id)
    else if (known !== entityHash(entity)) delta.changed.push(entity.id)
  }
  for (const entity of older) if (!after.has(entity.id)) delta.removed.push(entity.id)
  return delta
}

export function isEmptyDelta(delta: ListDelta): boolean {
  return delta.added.length + delta.changed.length + delta.removed.length === 0
}

/**
 * The version of one entity: 8 bytes of the hash of its content, in hex. A reviewer's verdict applies to this version
 * only.
 */
export function entityHash(entity: ListedEntity): string {
  const { source_url: _, ...content } = entity
  return createHash('sha256').update(JSON.stringify(content)).digest('hex').slice(0, 16)
}

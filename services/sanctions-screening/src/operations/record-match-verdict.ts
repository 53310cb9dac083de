import type { Consumption } from '@kyc/bus'
import { type amlMatchReviewed, identity as identitySchema, sealContexts } from '@kyc/common'
import { VaultKeyDestroyedError } from '@kyc/vault'
import { type ListId, listIds } from '../domain/entity.ts'
import { entityVersion } from '../serving/entity-versions.ts'
import { saveMatchVerdict } from '../store/match-verdicts.ts'
import { removeKnownMatch } from '../store/monitored-sessions.ts'
import type { ScreeningDeps } from './deps.ts'
import { personHash } from './person-hash.ts'

type ReviewedPerson = { personHash: string; entityVersion: string }

/** Stores a reviewer's verdict on a match, so that it applies when the same app screens the same person again. */
export function recordMatchVerdict(
  deps: ScreeningDeps,
): Consumption<typeof amlMatchReviewed, ReviewedPerson> {
  return {
    prepare: async ({ payload }) => {
      const { app_id, session_id, list, list_version, entity_id, sealed_identity } = payload
      const listId = listIds.find((known) => known === list)
      if (listId === undefined || sealed_identity === null) return null
      const hash = await hashReviewedPerson(deps, { app_id, session_id }, sealed_identity)
      const version = await findReviewedVersion(deps, listId, list_version, entity_id)
      if (hash === null || version === null) {
        deps.logger.info('match verdict not stored', { session_id, list, entity_id })
        return null
      }
      return { personHash: hash, entityVersion: version }
    },
    handle: async (tx, { payload }, reviewed) => {
      const { app_id, session_id, list, entity_id, verdict, reviewed_at } = payload
      if (verdict === 'false_positive') await removeKnownMatch(tx, payload, payload.match_id)
      await saveMatchVerdict(tx, {
        app_id,
        session_id,
        list,
        entity_id,
        person_hash: reviewed.personHash,
        entity_version: reviewed.entityVersion,
        verdict,
        reviewed_at: new Date(reviewed_at),
      })
    },
  }
}

/** Null when the identity has no name, and for a session that was purged in the meantime. */
async function hashReviewedPerson(
  deps: ScreeningDeps,
  scope: { app_id: string; session_id: string },
  sealedIdentity: string,
): Promise<string | null> {
  try {
    const value = await deps.vault.open(scope, sealContexts.identity, Buffer.from(sealedIdentity, 'base64'))
    return await personHash(deps, scope.app_id, identitySchema.parse(value))
  } catch (error) {
    if (error instanceof VaultKeyDestroyedError) return null
    throw error
  }
}

/** The version of the entity in the list version that the reviewer saw. Null when that list version was deleted. */
async function findReviewedVersion(
  { activeLists, listStore }: ScreeningDeps,
  list: ListId,
  listVersion: string,
  entityId: string,
): Promise<string | null> {
  const active = activeLists.snapshot().lists.find((item) => item.id === list && item.version === listVersion)
  const reviewed = active ?? (await listStore.readVersion(list, listVersion))
  return reviewed === null ? null : entityVersion(reviewed, entityId)
}

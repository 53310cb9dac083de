import { type EventMessage, inbox } from '@kyc/bus'
import { type amlMatchReviewed, identity as identitySchema, sealContexts } from '@kyc/common'
import type { ServiceDeps } from '@kyc/host'
import { VaultKeyDestroyedError } from '@kyc/vault'
import { type ListId, listIds } from '../domain/entity.ts'
import { personHash } from '../operations/known-false-positives.ts'
import { entityVersion } from '../serving/entity-versions.ts'
import type { ActiveLists } from '../serving/serving-lists.ts'
import type { ListStore } from '../store/lists.ts'
import type { MatchVerdicts } from '../store/match-verdicts.ts'
import type { MonitoredSessions } from '../store/monitored-sessions.ts'

const consumer = 'sanctions-screening.aml.match_reviewed'

/** Keeps what a reviewer said of a match, for the next screening of the same person by the same app. */
export async function rememberVerdict(
  deps: ServiceDeps,
  stores: {
    lists: ActiveLists
    store: ListStore
    monitored: MonitoredSessions
    verdicts: MatchVerdicts
  },
  { id, payload }: EventMessage<typeof amlMatchReviewed>,
): Promise<void> {
  const { app_id, session_id, list, list_version, entity_id, verdict } = payload
  const listId = listIds.find((known) => known === list)
  if (listId === undefined || payload.sealed_identity === null) return
  const hash = await hashOf(deps, app_id, session_id, payload.sealed_identity)
  const version = await versionSeen(stores, listId, list_version, entity_id)
  if (hash === null || version === null) {
    deps.logger.info('a verdict on a match is not remembered', { session_id, list, entity_id })
    return
  }
  await deps.database.transaction(async (tx) => {
    if (!(await inbox.claim(tx, consumer, id))) return
    if (verdict === 'false_positive') await stores.monitored.dismiss(tx, payload, payload.match_id)
    await stores.verdicts.remember(tx, {
      app_id,
      session_id,
      list,
      entity_id,
      person_hash: hash,
      entity_version: version,
      verdict,
      reviewed_at: new Date(payload.reviewed_at),
    })
  })
}

/** Null without a name, and for a session that was purged meanwhile. */
async function hashOf(
  deps: ServiceDeps,
  appId: string,
  sessionId: string,
  sealed: string,
): Promise<string | null> {
  const scope = { app_id: appId, session_id: sessionId }
  try {
    const value = await deps.vault.open(scope, sealContexts.identity, Buffer.from(sealed, 'base64'))
    return await personHash(deps.vault, appId, identitySchema.parse(value))
  } catch (error) {
    if (error instanceof VaultKeyDestroyedError) return null
    throw error
  }
}

/** The version of the entity in the publication that the reviewer saw; null when that is no longer kept. */
async function versionSeen(
  { lists, store }: { lists: ActiveLists; store: ListStore },
  list: ListId,
  version: string,
  entityId: string,
): Promise<string | null> {
  const held = lists.snapshot().lists.find((item) => item.id === list && item.version === version)
  const seen = held ?? (await store.read(list, version))
  return seen === null ? null : entityVersion(seen, entityId)
}

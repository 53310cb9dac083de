import { z } from 'zod'
import { appId, objectId, sessionId } from '../domain/ids.ts'
import { timestamp } from '../domain/timestamp.ts'
import { defineRequest } from './define.ts'

/** A face on an app's block list. Contains nothing of the face itself. */
export const blockedFace = z.object({ id: objectId, created_at: timestamp })
export type BlockedFace = z.infer<typeof blockedFace>

/**
 * Adds a session's face to the app's block list; the entry outlives a purge of the session. `not_found` without a face.
 */
export const blockSessionFace = defineRequest(
  'face.block',
  1,
  z.object({ app_id: appId, session_id: sessionId }),
  blockedFace,
)
/** `not_found` when the app has no such entry. */
export const unblockSessionFace = defineRequest(
  'face.unblock',
  1,
  z.object({ app_id: appId, id: objectId }),
  z.object({}),
)
export const listBlockedFaces = defineRequest(
  'face.blocked',
  1,
  z.object({ app_id: appId }),
  z.object({ data: z.array(blockedFace) }),
)

/** A document on an app's block list, recognised by a keyed hash of issuing state and number. Neither is returned. */
export const blockedDocument = z.object({ id: objectId, created_at: timestamp })
export type BlockedDocument = z.infer<typeof blockedDocument>

/**
 * Adds a session's document to the app's block list; the entry outlives a purge of the session. `not_found` without a
 * document.
 */
export const blockSessionDocument = defineRequest(
  'document.block',
  1,
  z.object({ app_id: appId, session_id: sessionId }),
  blockedDocument,
)
/** `not_found` when the app has no such entry. */
export const unblockSessionDocument = defineRequest(
  'document.unblock',
  1,
  z.object({ app_id: appId, id: objectId }),
  z.object({}),
)
export const listBlockedDocuments = defineRequest(
  'document.blocked',
  1,
  z.object({ app_id: appId }),
  z.object({ data: z.array(blockedDocument) }),
)

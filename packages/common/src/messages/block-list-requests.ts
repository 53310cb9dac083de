import { z } from 'zod'
import { appId, objectId, sessionId } from '../domain/ids.ts'
import { timestamp } from '../domain/timestamp.ts'
import { defineRequest } from './define.ts'

/** A face that an app refuses. Nothing of the face itself. */
export const blockedFace = z.object({ id: objectId, created_at: timestamp })
export type BlockedFace = z.infer<typeof blockedFace>

/** Puts a session's face on the app's block list; it stays when the session is purged. `not_found` without a face. */
export const blockSessionFace = defineRequest(
  'face.block',
  1,
  z.object({ app_id: appId, session_id: sessionId }),
  blockedFace,
)
/** `not_found` where the app has no such entry. */
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

/** A document that an app refuses, recognised by a keyed hash of issuing state and number. Nothing of it is told. */
export const blockedDocument = z.object({ id: objectId, created_at: timestamp })
export type BlockedDocument = z.infer<typeof blockedDocument>

/** Puts a session's document on the app's block list; it stays when the session is purged. `not_found` without one. */
export const blockSessionDocument = defineRequest(
  'document.block',
  1,
  z.object({ app_id: appId, session_id: sessionId }),
  blockedDocument,
)
/** `not_found` where the app has no such entry. */
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

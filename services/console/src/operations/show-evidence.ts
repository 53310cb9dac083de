import { findEvidenceObject, notFound } from '@kyc/common'
import { VaultKeyDestroyedError, VaultObjectMissingError } from '@kyc/vault'
import sharp from 'sharp'
import { type Actor, type Operations, record } from './context.ts'
import type { SessionScope } from './show-session.ts'

/** Larger pictures are scaled down: print stays legible, and pages load quickly. */
const largestSide = 2560
const jpegQuality = 90
/** Decoded size limit; the flow already rejects larger uploads. */
const mostPixels = 80_000_000

/**
 * One picture of a session, re-encoded as JPEG: upright, and without metadata of the upload. The view is in the audit log
 * before any byte is sent. `not_found` for objects of other sessions, and after a purge.
 */
export async function showEvidence(
  operations: Operations,
  actor: Actor,
  request: SessionScope & { object_id: string },
): Promise<Buffer> {
  const { app_id, session_id, object_id } = request
  const item = await operations.bus.request(findEvidenceObject, request)
  const bytes = await readObject(operations, { app_id, session_id }, object_id)
  const picture = await encodeAnew(bytes)
  await record(operations, actor, {
    app_id,
    action: 'evidence.viewed',
    target: session_id,
    details: { object_id, kind: item.kind },
  })
  return picture
}

async function readObject({ vault }: Operations, scope: SessionScope, objectId: string): Promise<Buffer> {
  try {
    return await vault.get(scope, objectId)
  } catch (error) {
    if (error instanceof VaultKeyDestroyedError || error instanceof VaultObjectMissingError)
      throw notFound('picture')
    throw error
  }
}

const encodeAnew = (bytes: Buffer): Promise<Buffer> =>
  sharp(bytes, { limitInputPixels: mostPixels })
    .rotate()
    .resize({ width: largestSide, height: largestSide, fit: 'inside', withoutEnlargement: true })
    .jpeg({ quality: jpegQuality })
    .toBuffer()

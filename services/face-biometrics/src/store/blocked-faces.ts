import type { PrismaClient } from './generated/client.ts'

/** The faces on an app's block list, sealed with the app's key. */
export const blockedFaces = (prisma: PrismaClient, appId: string): Promise<{ sealed: Uint8Array }[]> =>
  prisma.blockedFace.findMany({ where: { appId }, select: { sealed: true } })

/** The entries of an app's block list, newest first, without the faces. */
export const listBlockedFaces = (
  prisma: PrismaClient,
  appId: string,
): Promise<{ id: string; createdAt: Date }[]> =>
  prisma.blockedFace.findMany({
    where: { appId },
    select: { id: true, createdAt: true },
    orderBy: [{ createdAt: 'desc' }, { id: 'asc' }],
  })

export async function insertBlockedFace(
  prisma: PrismaClient,
  face: { id: string; app_id: string; sealed: Buffer; created_at: Date },
): Promise<void> {
  const { id, app_id, sealed, created_at } = face
  await prisma.blockedFace.create({
    data: { id, appId: app_id, sealed: Uint8Array.from(sealed), createdAt: created_at },
  })
}

/** False if the app has no such entry. */
export async function deleteBlockedFace(prisma: PrismaClient, appId: string, id: string): Promise<boolean> {
  const { count } = await prisma.blockedFace.deleteMany({ where: { appId, id } })
  return count === 1
}

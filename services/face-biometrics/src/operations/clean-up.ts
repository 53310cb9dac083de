import { inbox } from '@kyc/bus'
import { deleteExpiredChallenges } from '../store/challenges.ts'
import { deleteForgottenFaces } from '../store/faces.ts'
import type { Operations } from './context.ts'

const DAY_MS = 24 * 60 * 60 * 1000
const CHALLENGE_KEPT_MS = DAY_MS
/** Longer than a replica can go without searching an app, and longer than a message can be redelivered. */
const FORGOTTEN_FACE_KEPT_MS = 30 * DAY_MS
const PROCESSED_MESSAGE_KEPT_MS = 30 * DAY_MS

/** Deletes unanswered challenges, the empty rows of purged faces, and old inbox entries. */
export async function cleanUp({ database, clock }: Operations): Promise<void> {
  const now = clock.now().getTime()
  await deleteExpiredChallenges(database, new Date(now - CHALLENGE_KEPT_MS))
  await deleteForgottenFaces(database, new Date(now - FORGOTTEN_FACE_KEPT_MS))
  await inbox.prune(database, new Date(now - PROCESSED_MESSAGE_KEPT_MS))
}

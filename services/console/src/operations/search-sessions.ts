import {
  type Check,
  type ConsoleSessionItem,
  check,
  listReviewQueue,
  nameHash,
  type QueueFilter,
  type QueueItem,
  queueItem,
  type SessionFilter,
  sealContexts,
  searchSessions as searchRequest,
  wordGroups,
} from '@kyc/common'
import { VaultKeyDestroyedError } from '@kyc/vault'
import { z } from 'zod'
import { findUserNames } from '../store/user-names.ts'
import type { Operations } from './context.ts'
import { nameItem } from './show-session.ts'

type Page = { cursor: string | null; limit: number }
type Found = { data: ConsoleSessionItem[]; next_cursor: string | null; total: number | null }

/** One page of an app's sessions. Names leave this service only as keyed hashes of their words. */
export async function searchSessions(
  { bus, vault, database }: Operations,
  appId: string,
  filter: SessionFilter,
  name: string,
  page: Page,
): Promise<Found> {
  const groups = wordGroups(name)
  // A name without letters has no word to search for. It must match nothing, not everything.
  if (name.trim() !== '' && groups.length === 0) return { data: [], next_cursor: null, total: 0 }
  const hash = async (word: string) =>
    (await vault.keyedHash({ app_id: appId }, nameHash.purpose, word)).slice(0, nameHash.bytes * 2)
  const found = await bus.request(searchRequest, {
    app_id: appId,
    filter,
    name_hashes: await Promise.all(groups.map((forms) => Promise.all(forms.map(hash)))),
    ...page,
  })
  const names = await findUserNames(
    database,
    found.data.map((item) => item.assignment?.user_id),
  )
  return { ...found, data: found.data.map((item) => nameItem(item, names)) }
}

/** One page of the queue, with type and country of each document and the status of its AML matches. */
export async function listQueue(
  { bus, vault, database }: Operations,
  appId: string,
  filter: QueueFilter,
  page: Page,
): Promise<{ data: QueueItem[]; next_cursor: string | null; waiting: number }> {
  const found = await bus.request(listReviewQueue, { app_id: appId, filter, ...page })
  const names = await findUserNames(
    database,
    found.data.map((item) => item.assignment?.user_id),
  )
  const data = await Promise.all(
    found.data.map(async ({ sealed_checks, reviewed_matches, ...item }) => {
      const scope = { app_id: appId, session_id: item.session_id }
      const checks = await Promise.all(
        sealed_checks.map((sealed) => openCheck(vault, scope, Buffer.from(sealed, 'base64'))),
      )
      return {
        ...nameItem(item, names),
        ...findingsOf(
          checks.filter((each) => each !== null),
          reviewed_matches,
        ),
      }
    }),
  )
  return { ...found, data }
}

/** Null for a session that is being purged right now. */
async function openCheck(
  vault: Operations['vault'],
  scope: { app_id: string; session_id: string },
  bytes: Buffer,
): Promise<Check | null> {
  try {
    return check.parse(await vault.open(scope, sealContexts.check_data, bytes))
  } catch (error) {
    if (error instanceof VaultKeyDestroyedError) return null
    throw error
  }
}

const documentData = z.object({
  document_type: queueItem.shape.document.unwrap().shape.type,
  issuing_state: z.string().nullable(),
})
const amlData = z.object({
  matches: z.array(z.object({ match_id: z.string(), review: z.object({ status: z.string() }).optional() })),
})

function findingsOf(
  checks: readonly Check[],
  reviewed: readonly string[],
): Pick<QueueItem, 'document' | 'aml'> {
  const dataOf = (kind: Check['kind']) => checks.find((item) => item.kind === kind)?.data
  const document = documentData.safeParse(dataOf('document'))
  const aml = amlData.safeParse(dataOf('aml'))
  const open = (match: z.infer<typeof amlData>['matches'][number]) =>
    !reviewed.includes(match.match_id) && (match.review?.status ?? 'unreviewed') === 'unreviewed'
  return {
    document: document.success
      ? { type: document.data.document_type, country: document.data.issuing_state }
      : null,
    aml: aml.success
      ? { matches: aml.data.matches.length, unreviewed: aml.data.matches.filter(open).length }
      : null,
  }
}

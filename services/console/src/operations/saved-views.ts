import { conflict, notFound, type SavedView } from '@kyc/common'
import type { ConsoleUserCaller } from '@kyc/http'
import { newId } from '@kyc/runtime'
import { deleteView, listViews, upsertView } from '../store/saved-views.ts'
import { actorOf, audit, type Operations } from './context.ts'

/** Per user and app; more than a selection list can show. */
const mostViews = 50

/** Saves filters that only the caller can see. `conflict` if there are too many. */
export async function saveView(
  { database, clock }: Operations,
  caller: ConsoleUserCaller,
  app_id: string,
  given: Omit<SavedView, 'id'>,
): Promise<SavedView> {
  const owner = { app_id, user_id: caller.user_id }
  return database.transaction(async (tx) => {
    const id = await upsertView(tx, owner, { ...given, id: newId('saved_view') }, clock.now())
    if ((await listViews(tx, owner)).length > mostViews)
      throw conflict(`There are ${mostViews} saved views already. Forget one first.`)
    await audit(tx, clock, actorOf(caller), { app_id, action: 'view.saved', target: id })
    return { ...given, id }
  })
}

export async function removeView(
  { database, clock }: Operations,
  caller: ConsoleUserCaller,
  app_id: string,
  id: string,
): Promise<void> {
  await database.transaction(async (tx) => {
    if (!(await deleteView(tx, { app_id, user_id: caller.user_id }, id))) throw notFound('saved view')
    await audit(tx, clock, actorOf(caller), { app_id, action: 'view.removed', target: id })
  })
}

import { listIds } from '../domain/entity.ts'
import { ListRejectedError } from '../domain/lists/rejection.ts'
import { folderFingerprint } from '../lists/folder-fingerprint.ts'
import { loadSanctionsFolder } from '../lists/load-folder.ts'
import { activateList } from './activate-list.ts'
import type { RefreshDeps } from './deps.ts'
import { recordRefreshFailure } from './record-refresh-failure.ts'

/**
 * Reads the list folder when one of its files changed, or always when `force` is set, and activates the lists in it.
 */
export async function refreshFromFolder(deps: RefreshDeps, directory: string, force: boolean): Promise<void> {
  const { listStore, folderReadings, clock, logger, packKey } = deps
  const fingerprint = await folderFingerprint(directory, packKey)
  if (!force && (await folderReadings.findFingerprint(directory)) === fingerprint) return
  const { lists, rejected } = await loadSanctionsFolder(directory, clock.now(), packKey)
  for (const file of rejected)
    logger.info('list file rejected', { file: file.path, reason: file.code, detail: file.message })
  for (const list of lists.values()) {
    try {
      await activateList(deps, list, null)
    } catch (error) {
      await recordRefreshFailure(deps, list.id, error)
    }
  }
  for (const state of await listStore.listStates()) {
    const list = listIds.find((id) => id === state.list)
    if (list !== undefined && state.version !== null && !lists.has(list)) {
      await recordRefreshFailure(
        deps,
        list,
        new ListRejectedError('missing_part', 'the folder contains no complete publication of this list'),
      )
    }
  }
  await folderReadings.save(directory, fingerprint, rejected)
}

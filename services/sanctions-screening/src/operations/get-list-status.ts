import type { getListStatus as contract } from '@kyc/common'
import type { z } from 'zod'
import type { ScreeningDeps } from './deps.ts'

/** The status of every list, and the rejected files of the list folder. */
export async function getListStatus({
  activeLists,
  folderReadings,
  listFolder,
  downloadedLists,
}: ScreeningDeps): Promise<z.input<typeof contract.response>> {
  return {
    lists: activeLists.statuses(downloadedLists),
    refused_files: listFolder === undefined ? [] : await folderReadings.listRejectedFiles(listFolder),
  }
}

import type { KeyObject } from 'node:crypto'
import type { Outbox } from '@kyc/bus'
import type { ServiceDeps } from '@kyc/host'
import type { OutboundClient } from '@kyc/outbound'
import type { Metrics } from '@kyc/runtime'
import type { ListId } from '../domain/entity.ts'
import type { RefreshSchedule } from '../domain/lists/refresh-schedule.ts'
import type { ListSource } from '../lists/sources.ts'
import type { ActiveLists } from '../serving/active-lists.ts'
import type { FolderReadings } from '../store/folder-readings.ts'
import type { FailureCode, ListStore } from '../store/lists.ts'

/** What the operations that screen names and sessions depend on. */
export type ScreeningDeps = Pick<ServiceDeps, 'clock' | 'database' | 'logger' | 'vault'> & {
  outbox: Outbox
  activeLists: ActiveLists
  listStore: ListStore
  folderReadings: FolderReadings
  /** The folder that lists are read from; undefined when they are downloaded. */
  listFolder: string | undefined
  /** Lists that are downloaded. Each is reported as `not_loaded` until its first version is stored. */
  downloadedLists: readonly ListId[]
}

/** What the operations that refresh the lists depend on. */
export type RefreshDeps = Pick<ServiceDeps, 'clock' | 'database' | 'logger'> & {
  listStore: ListStore
  folderReadings: FolderReadings
  outbound: OutboundClient
  rejections: RejectionCounter
  /** When set, lists are read from this folder and nothing is downloaded. */
  listFolder: string | undefined
  /** When set, only files of the folder that are signed with this key are read. */
  packKey: KeyObject | null
  sources: readonly ListSource[]
  schedule: RefreshSchedule
  keepVersions: number
  /** A number from 0 to 1. Spreads the checks of many installations over time. */
  random: () => number
}

type RejectionCounter = { inc(labels: { list: ListId; reason: FailureCode }): void }

export const createRejectionCounter = (metrics: Metrics): RejectionCounter =>
  metrics.counter('sanctions_list_rejected_total', 'Rejected list versions, by reason', ['list', 'reason'])

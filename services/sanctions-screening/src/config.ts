import { commonConfig, flag, integer, list, loadConfig, vaultConfig } from '@kyc/runtime'
import { z } from 'zod'
import { listIds } from './domain/entity.ts'

/** The service's own settings, read by its own process and by `standalone`. */
export const sanctionsSettings = z.object({
  /** Folder of official list files, in any sub-folder. When set, nothing is downloaded. */
  SANCTIONS_DIR: z.string().optional(),
  /** PEM file of an Ed25519 public key. When set, only files of the folder that are signed with this key are read. */
  SANCTIONS_PACK_KEY_FILE: z.string().optional(),
  /** Lists to download, comma-separated. All lists when empty. */
  SANCTIONS_LISTS: list.pipe(z.array(z.enum(listIds))),
  /** False disables downloads: only stored lists are used. */
  SANCTIONS_DOWNLOAD: flag(true),
  /** Hours between two checks of a source. */
  SANCTIONS_CHECK_HOURS: integer(1, 168).default(6),
  /** Age in days at which a list is downloaded unconditionally. A list not checked for longer is reported as stale. */
  SANCTIONS_REFETCH_DAYS: integer(1, 90).default(7),
  /** Number of versions stored of each list. */
  SANCTIONS_KEEP_VERSIONS: integer(2, 10_000).default(120),
  /** Additional hosts that a source may redirect to. */
  SANCTIONS_REDIRECT_HOSTS: list,
  /** Mirrors that replace the official URLs: `list=https://...`, comma-separated. */
  SANCTIONS_SOURCES: list,
})
export type SanctionsConfig = z.output<typeof sanctionsSettings>

/** The complete environment of the service's own process. */
export const readConfig = () =>
  loadConfig(z.object({ ...commonConfig, ...vaultConfig, ...sanctionsSettings.shape }))

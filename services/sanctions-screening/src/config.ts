import { commonConfig, flag, integer, list, loadConfig, vaultConfig } from '@kyc/runtime'
import { z } from 'zod'
import { listIds } from './domain/entity.ts'

/** What the service itself reads, in a process of its own and beside the others alike. */
export const sanctionsConfig = {
  /** Folder of official list files in any sub-folder. When set, nothing is downloaded. */
  SANCTIONS_DIR: z.string().optional(),
  /** PEM file of an Ed25519 public key: only files of the folder that its owner signed are read. */
  SANCTIONS_PACK_KEY_FILE: z.string().optional(),
  /** Lists to download, comma-separated; all known ones when empty. */
  SANCTIONS_LISTS: list.pipe(z.array(z.enum(listIds))),
  /** False: serve what is stored and never go out. */
  SANCTIONS_DOWNLOAD: flag(true),
  /** Hours between two checks of a source. */
  SANCTIONS_CHECK_HOURS: integer(1, 168).default(6),
  /** Days after which a list is fetched anew, whatever its source says, and called stale when that fails. */
  SANCTIONS_REFETCH_DAYS: integer(1, 90).default(7),
  /** Versions kept of each list. */
  SANCTIONS_KEEP_VERSIONS: integer(2, 10_000).default(120),
  /** Further hosts that a source may redirect to. */
  SANCTIONS_REDIRECT_HOSTS: list,
  /** Mirrors: `list=https://...`, comma-separated, in place of the official addresses. */
  SANCTIONS_SOURCES: list,
} as const

export const sanctionsSettings = z.object(sanctionsConfig)
export type SanctionsConfig = z.output<typeof sanctionsSettings>

const processSchema = z.object({ ...commonConfig, ...vaultConfig, ...sanctionsConfig })

/** The whole environment of a process of its own. */
export const readConfig = () => loadConfig(processSchema)

/** The service's own part, for a process that runs several. */
export const readSanctionsConfig = (environment?: Record<string, string | undefined>): SanctionsConfig =>
  loadConfig(sanctionsSettings, environment)

import type { Clock } from '@kyc/runtime'
import type { RejectedFile } from '../lists/folder-files.ts'
import type { Prisma } from './prisma.ts'

/** The state of each list folder when it was last read, so that an unchanged folder is not parsed again. */
export class FolderReadings {
  readonly #prisma: Prisma
  readonly #clock: Clock

  constructor(prisma: Prisma, clock: Clock) {
    this.#prisma = prisma
    this.#clock = clock
  }

  async findFingerprint(directory: string): Promise<string | null> {
    const row = await this.#prisma.folderReading.findUnique({ where: { directory } })
    return row?.fingerprint ?? null
  }

  async save(directory: string, fingerprint: string, rejectedFiles: readonly RejectedFile[]): Promise<void> {
    const readAt = this.#clock.now()
    const reading = { fingerprint, readAt, refused: rejectedFiles.map((file) => ({ ...file })) }
    await this.#prisma.folderReading.upsert({
      where: { directory },
      create: { directory, ...reading },
      update: reading,
    })
  }

  /** The files that were rejected when the folder was last read. */
  async listRejectedFiles(directory: string): Promise<RejectedFile[]> {
    const row = await this.#prisma.folderReading.findUnique({ where: { directory } })
    return (row?.refused ?? []) as unknown as RejectedFile[]
  }
}

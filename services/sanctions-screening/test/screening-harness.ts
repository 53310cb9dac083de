import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createOutbox } from '@kyc/bus'
import {
  type AmlMatch,
  amlMatchReviewed,
  type Check,
  checkCompleted,
  check as checkSchema,
  type EventContract,
  emptyIdentity,
  identityExtracted,
  refreshLists,
  type SessionStatus,
  sanctionsListUpdated,
  sealContexts,
  sessionPurgeConfirmed,
  sessionStatusChanged,
  workflowConfig,
} from '@kyc/common'
import { loadConfig, newId } from '@kyc/runtime'
import { type ServiceHarness, startService } from '@kyc/testing'
import type { z } from 'zod'
import { sanctionsScreeningSchema, sanctionsScreeningService, sanctionsSettings } from '../src/service.ts'

export const listedName = 'TARSIDIAN VELMOOR ASHKAN'

export type Scope = { app_id: string; session_id: string }
type CompletedCheck = { session_id: string; status: string; monitoring: boolean; check: Check }

export type Submission = {
  app_id?: string
  name?: string | null
  dateOfBirth?: string
  aml?: Record<string, unknown>
  scenario?: string
  threshold?: number
}

/** The service with a folder of list files, and test doubles for the services that it exchanges messages with. */
export class Screening {
  readonly completed: CompletedCheck[] = []
  readonly purgeConfirmations: { deleted: Record<string, number> }[] = []
  readonly harness: ServiceHarness
  readonly #folder: string
  #onUpdate: (version: string) => void = () => {}

  private constructor(folder: string, harness: ServiceHarness) {
    this.#folder = folder
    this.harness = harness
  }

  /** Starts the service with a new folder that contains `files`, and with additional `settings`. */
  static async start(
    files: Record<string, string | Uint8Array>,
    settings: Record<string, string> = {},
  ): Promise<Screening> {
    const folder = await mkdtemp(join(tmpdir(), 'kyc-lists-'))
    for (const [name, content] of Object.entries(files)) await writeFile(join(folder, name), content)
    const config = loadConfig(sanctionsSettings, { ...settings, SANCTIONS_DIR: folder })
    let screening: Screening | undefined
    const harness = await startService(
      'sanctions-screening',
      sanctionsScreeningSchema,
      (deps) => sanctionsScreeningService(deps, config),
      {
        before: (bus) => {
          bus.subscribe(checkCompleted, {
            service: 'session',
            handle: async ({ payload }) => {
              if (screening !== undefined) await screening.#recordCheck(payload)
            },
          })
          bus.subscribe(sanctionsListUpdated, {
            service: 'console',
            handle: async ({ payload }) => {
              if (screening !== undefined) screening.#onUpdate(payload.version)
            },
          })
          bus.subscribe(sessionPurgeConfirmed, {
            service: 'session',
            handle: async ({ payload }) => void screening?.purgeConfirmations.push(payload),
          })
        },
      },
    )
    screening = new Screening(folder, harness)
    return screening
  }

  async stop(): Promise<void> {
    await this.harness.close()
    await rm(this.#folder, { recursive: true })
  }

  /** Returns the checks completed since the last call. */
  takeCompleted(): CompletedCheck[] {
    return this.completed.splice(0)
  }

  async #recordCheck(payload: z.output<typeof checkCompleted.payload>): Promise<void> {
    const sealed = Buffer.from(payload.sealed_check, 'base64')
    const opened = await this.harness.deps.vault.open(payload, sealContexts.check_data, sealed)
    const { session_id, status, monitoring } = payload
    this.completed.push({ session_id, status, monitoring, check: checkSchema.parse(opened) })
  }

  /** Publishes `identity.extracted` for a new session, as `checks` does. */
  async submit(submission: Submission): Promise<Scope> {
    const { name = listedName, dateOfBirth, aml = {}, scenario, threshold } = submission
    const scope = { app_id: submission.app_id ?? newId('app'), session_id: newId('session') }
    const identity = { ...emptyIdentity, full_name: name, date_of_birth: dateOfBirth ?? null }
    const sealed = await this.harness.deps.vault.seal(scope, sealContexts.identity, {
      identity,
      document_number: null,
      issuing_state: null,
    })
    const config = workflowConfig.parse({
      steps: { aml },
      ...(threshold === undefined ? {} : { review_threshold: threshold }),
    })
    await this.publish(identityExtracted, {
      ...scope,
      round: 1,
      environment: 'test',
      config,
      sealed_identity: sealed.toString('base64'),
      test_scenario: scenario ?? null,
    })
    return scope
  }

  /** Publishes a reviewer's verdict on the first match of a check, as `session` does. */
  async reviewFirstMatch(
    scope: Scope,
    takeCompleted: CompletedCheck,
    verdict: 'true_positive' | 'false_positive' | 'inconclusive',
    person: Submission,
    reviewedAt = '2026-03-01T12:00:00Z',
  ): Promise<void> {
    const [match] = (takeCompleted.check.data as { matches: AmlMatch[] }).matches
    if (match === undefined) throw new Error('there is no match to review')
    const identity = {
      ...emptyIdentity,
      full_name: person.name ?? listedName,
      date_of_birth: person.dateOfBirth ?? null,
    }
    const sealed = await this.harness.deps.vault.seal(scope, sealContexts.identity, identity)
    const { match_id, list, list_version, entity_id } = match
    await this.publish(amlMatchReviewed, {
      ...scope,
      match_id,
      list,
      list_version,
      entity_id,
      verdict,
      sealed_identity: sealed.toString('base64'),
      reviewed_at: reviewedAt,
    })
  }

  async publish<C extends EventContract>(contract: C, payload: z.input<C['payload']>): Promise<void> {
    const { harness } = this
    await harness.database.transaction((tx) =>
      createOutbox({ clock: harness.clock }).append(tx, contract, payload),
    )
    await harness.drain()
  }

  async changeStatus(scope: Scope, sequence: number, status: SessionStatus): Promise<void> {
    await this.publish(sessionStatusChanged, {
      ...scope,
      sequence,
      status,
      previous_status: sequence === 1 ? 'processing' : 'in_review',
      decision_reason: null,
      vendor_data: null,
      workflow_id: newId('workflow'),
      sealed_decision: null,
      occurred_at: '2026-03-01T12:00:00Z',
    })
  }

  /** Writes a file to the folder without triggering a refresh. */
  async writeListFile(name: string, content: string | Uint8Array): Promise<void> {
    await writeFile(join(this.#folder, name), content)
  }

  /**
   * Writes a newer publication, dated `day`, to the folder and waits until its update has been published and handled.
   */
  async publishList(
    name: string,
    content: string | Uint8Array,
    day = name.match(/\d{4}-\d{2}-\d{2}/)?.[0] ?? '',
  ): Promise<void> {
    await this.writeListFile(name, content)
    const takeCompleted = new Promise<void>((resolve) => {
      this.#onUpdate = (version) => {
        if (version.startsWith(day)) resolve()
      }
    })
    await this.harness.bus.request(refreshLists, {})
    await takeCompleted
    // The first call waits for the running handlers, the second for the messages that they published.
    await this.harness.drain()
    await this.harness.drain()
  }
}

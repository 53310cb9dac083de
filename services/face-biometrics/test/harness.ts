import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createOutbox } from '@kyc/bus'
import {
  type Check,
  checkCompleted,
  check as checkSchema,
  createLivenessChallenge,
  defaultWorkflowConfig,
  type EventContract,
  evaluateLiveness,
  sealContexts,
  sessionPurgeConfirmed,
  sessionSubmitted,
  toTimestamp,
  type WorkflowConfig,
} from '@kyc/common'
import { newId, sha256Hex } from '@kyc/runtime'
import { modelsDir, type ServiceHarness, sharedDir, startService } from '@kyc/testing'
import type { z } from 'zod'
import { faceBiometricsSchema, faceBiometricsService } from '../src/service.ts'

type Said = z.output<typeof checkCompleted.payload>
type Scope = { app_id: string; session_id: string }

const photos = modelsDir() ? sharedDir('data', 'faces') : null
/** Whether the photos of the truth set and the models are available; without them, tests are visibly skipped. */
export const hasFaces = photos !== null
export const photo = (file: string): Buffer => readFileSync(join(photos!, file))
const person = (file: string) => photo(`deepface/tests/unit/dataset/${file}`)
/** `firstPhoto` and `secondPhoto` show the same person, `strangerPhoto` another. */
export const firstPhoto = () => person('img20.jpg')
export const secondPhoto = () => person('img21.jpg')
export const strangerPhoto = () => person('img3.jpg')
export const livePhoto = () => photo('liveness/image_T1.jpg')
export const fakePhoto = () => photo('liveness/image_F2.jpg')

export type FaceHarness = ServiceHarness & {
  /** The checks that the service published for a session, opened, in order. */
  checks(scope: Scope): Promise<Map<string, Check & { final: boolean }>>
  purges: z.output<typeof sessionPurgeConfirmed.payload>[]
  tell<C extends EventContract>(contract: C, payload: z.input<C['payload']>): Promise<void>
}

/** `models: false` simulates a machine without model files. */
export async function startFaceService(options: { models?: boolean } = {}): Promise<FaceHarness> {
  const said: Said[] = []
  const purges: FaceHarness['purges'] = []
  const config = { FACE_THREADS: 1, FACE_CONCURRENCY: 2, FACE_QUEUE_LIMIT: 64 }
  const harness = await startService(
    'face-biometrics',
    faceBiometricsSchema,
    (deps) => {
      const models = { ...deps.models, resolve: async () => null }
      return faceBiometricsService(options.models === false ? { ...deps, models } : deps, config)
    },
    {
      before: (bus) => {
        const service = 'session'
        bus.subscribe(checkCompleted, { service, handle: async ({ payload }) => void said.push(payload) })
        bus.subscribe(sessionPurgeConfirmed, {
          service,
          handle: async ({ payload }) => void purges.push(payload),
        })
      },
    },
  )
  const outbox = createOutbox({ clock: harness.clock })
  return {
    ...harness,
    purges,
    async tell(contract, payload) {
      await harness.database.transaction(async (tx) => void (await outbox.append(tx, contract, payload)))
      await harness.drain()
    },
    async checks(scope) {
      const found = new Map<string, Check & { final: boolean }>()
      for (const { session_id, kind, final, sealed_check } of said) {
        if (session_id !== scope.session_id) continue
        const bytes = Buffer.from(sealed_check, 'base64')
        const opened = await harness.deps.vault.open(scope, sealContexts.check_data, bytes)
        found.set(kind, { ...checkSchema.parse(opened), final })
      }
      return found
    },
  }
}

export const newSession = (app_id: string = newId('app')): Scope => ({ app_id, session_id: newId('session') })

export function workflow(change: (steps: WorkflowConfig['steps']) => void = () => {}): WorkflowConfig {
  const config = defaultWorkflowConfig()
  change(config.steps)
  return config
}

async function store(harness: FaceHarness, scope: Scope, bytes: Buffer) {
  const { object_id } = await harness.deps.vault.put(scope, newId('object'), bytes, {
    contentType: 'image/jpeg',
  })
  return { object_id, sha256: sha256Hex(bytes) }
}

/** One attempt as the flow makes it: requests a challenge unless given, stores the frames, requests the evaluation. */
export async function attempt(
  harness: FaceHarness,
  scope: Scope,
  pictures: readonly Buffer[],
  options: {
    config?: WorkflowConfig
    challenge_id?: string
    last?: boolean
    scenario?: string
    still?: boolean
  } = {},
) {
  const { config = workflow() } = options
  const common = { ...scope, round: 1, environment: 'test', config } as const
  const challenge_id =
    options.challenge_id ?? (await harness.bus.request(createLivenessChallenge, common)).challenge_id
  const frames = await Promise.all(pictures.map((bytes) => store(harness, scope, bytes)))
  const request = {
    ...common,
    challenge_id,
    frames,
    without_movement: options.still ?? false,
    last_attempt: options.last ?? false,
    test_scenario: options.scenario ?? null,
  }
  const answer = await harness.bus.request(evaluateLiveness, request)
  await harness.drain()
  return { ...answer, challenge_id, frames, request }
}

/** Submits a session with a document and the frames of an earlier attempt or new ones. */
export async function submit(
  harness: FaceHarness,
  scope: Scope,
  given: {
    document?: Buffer
    frames?: readonly { object_id: string; sha256: string }[]
    selfie?: Buffer
    config?: WorkflowConfig
    vendor_data?: string
    scenario?: string
  },
) {
  const frames = given.frames ?? (given.selfie ? [await store(harness, scope, given.selfie)] : [])
  const documents = given.document ? [await store(harness, scope, given.document)] : []
  const evidence = (kind: 'document_front' | 'liveness_frame') => (file: (typeof frames)[number]) => ({
    kind,
    ...file,
    capture_method: 'camera' as const,
    document_type: null,
    country: null,
  })
  await harness.tell(sessionSubmitted, {
    ...scope,
    round: 1,
    environment: 'test',
    workflow_id: newId('workflow'),
    config: given.config ?? workflow(),
    vendor_data: given.vendor_data ?? null,
    evidence: [...documents.map(evidence('document_front')), ...frames.map(evidence('liveness_frame'))],
    sealed_client_address: null,
    submitted_at: toTimestamp(harness.clock.now()),
    test_scenario: given.scenario ?? null,
  })
  return harness.checks(scope)
}

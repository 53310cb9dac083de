import type { Check, Engine, WorkflowConfig } from '@kyc/common'
import { faceDuplicateCheck } from './duplicate-check.ts'
import { faceMatchCheck } from './face-match-check.ts'
import { livenessCheck } from './liveness-check.ts'

const engine: Engine = { name: 'test-scenario', version: '1' }

/**
 * The scripted checks of a test session, which depend only on its scenario and never on the pictures. Scenarios that
 * are not about faces pass here.
 */
export function scenarioChecks(
  scenario: string,
  config: WorkflowConfig,
  at: string,
): { liveness: Check; face_match: Check; duplicate: Check } {
  const { liveness, face_match, duplicate } = config.steps
  const times = { started_at: at, completed_at: at }
  return {
    liveness: livenessCheck({
      mode: liveness.mode,
      pass: liveness.pass,
      review: liveness.review,
      actions: [],
      judgement:
        scenario === 'liveness_failed'
          ? { score: 0, passive_score: 0, completed_actions: [], failures: ['action_missing'] }
          : { score: 1, passive_score: 1, completed_actions: [], failures: [] },
      frames: 1,
      quality: null,
      attempts: 1,
      engine,
      ...times,
    }),
    face_match: faceMatchCheck({
      threshold: face_match.threshold,
      review_below: face_match.review_below,
      similarity: scenario === 'face_mismatch' ? 0 : 1,
      obstacle: null,
      source_image: 'document_front',
      faces: { document: 1, selfie: 1 },
      quality: { document: null, selfie: null },
      annotated: { document: null, selfie: null },
      portraits: { document: null, selfie: null },
      engine,
      ...times,
    }),
    duplicate: faceDuplicateCheck({
      action: duplicate.face_action,
      threshold: duplicate.face_threshold,
      matches: [],
      blocked: null,
      engine,
      ...times,
    }),
  }
}

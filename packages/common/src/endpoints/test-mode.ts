import { z } from 'zod'
import { pathId } from '../domain/ids.ts'
import { sessionSummary } from '../domain/session.ts'
import { testScenario } from '../domain/test-scenario.ts'
import { defineContract } from './define.ts'

/** The statuses to which a test session can be advanced. */
export const advanceTargets = [
  'in_progress',
  'processing',
  'approved',
  'declined',
  'in_review',
  'expired',
  'abandoned',
] as const
export type AdvanceTarget = (typeof advanceTargets)[number]

const common = { service: 'session', caller: 'api_key', environment: 'test', tag: 'Test mode' } as const

export const testModeEndpoints = defineContract({
  listTestScenarios: {
    ...common,
    method: 'get',
    path: '/v1/test/scenarios',
    summary: 'The values of metadata.test_scenario and what each leads to',
    success: { status: 200, body: z.object({ data: z.array(testScenario) }) },
    errors: ['not_found'],
  },
  advanceTestSession: {
    ...common,
    method: 'post',
    path: '/v1/test/sessions/:session_id/advance',
    summary: 'Take a test session towards a status, as the person, the clock or a reviewer would',
    params: z.object({ session_id: pathId }),
    body: z.strictObject({ to: z.enum(advanceTargets) }),
    success: { status: 200, body: sessionSummary },
    errors: ['bad_request', 'not_found', 'conflict'],
    idempotent: 'stored',
  },
})

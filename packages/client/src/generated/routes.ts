// Made from the interface's contracts by `pnpm --filter @kyc/client types`; a test fails when it is out of date.

import type { Operations } from './types.ts'

/** `keyed`: repeatable under an Idempotency-Key; `once`: a repetition may meet its own effect. */
export type Repeat = 'keyed' | 'repeatable' | 'once'

export const routes: Readonly<Record<keyof Operations, readonly [method: string, path: string, repeat: Repeat]>> = {
  getHealth: ['GET', '/health', 'repeatable'],
  createSession: ['POST', '/v1/sessions', 'keyed'],
  listSessions: ['GET', '/v1/sessions', 'repeatable'],
  getSession: ['GET', '/v1/sessions/:session_id', 'repeatable'],
  getDecision: ['GET', '/v1/sessions/:session_id/decision', 'repeatable'],
  decideSession: ['PATCH', '/v1/sessions/:session_id/status', 'once'],
  purgeSession: ['DELETE', '/v1/sessions/:session_id', 'repeatable'],
  getPurgeCertificate: ['GET', '/v1/sessions/:session_id/purge-certificate', 'repeatable'],
  getReceipt: ['GET', '/v1/sessions/:session_id/receipt', 'repeatable'],
  listSigningKeys: ['GET', '/v1/signing-keys', 'repeatable'],
  listWorkflows: ['GET', '/v1/workflows', 'repeatable'],
  screenName: ['POST', '/v1/checks/aml', 'keyed'],
  screenNames: ['POST', '/v1/checks/aml/batch', 'keyed'],
  validatePan: ['POST', '/v1/checks/pan', 'keyed'],
  parseMrz: ['POST', '/v1/checks/mrz', 'keyed'],
  matchFaces: ['POST', '/v1/checks/face-match', 'keyed'],
  verifySecureQr: ['POST', '/v1/checks/aadhaar/secure-qr', 'keyed'],
  readDocument: ['POST', '/v1/checks/document', 'keyed'],
  listWebhookDeliveries: ['GET', '/v1/webhook-deliveries', 'repeatable'],
  getWebhookDelivery: ['GET', '/v1/webhook-deliveries/:delivery_id', 'repeatable'],
  getWebhookEvent: ['GET', '/v1/webhook-deliveries/:delivery_id/event', 'repeatable'],
  redeliverWebhook: ['POST', '/v1/webhook-deliveries/:delivery_id/redeliver', 'keyed'],
  listTestScenarios: ['GET', '/v1/test/scenarios', 'repeatable'],
  advanceTestSession: ['POST', '/v1/test/sessions/:session_id/advance', 'keyed'],
}

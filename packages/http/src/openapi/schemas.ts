import * as contracts from '@kyc/common'
import { z } from 'zod'

export type Json = Record<string, unknown>

const {
  amlAnswer,
  amlMatch,
  check,
  createdSession,
  decision,
  documentAnswer,
  errorEnvelope,
  faceMatchAnswer,
  flowState,
  identity,
  imageQuality,
  listInfo,
  mrzAnswer,
  panAnswer,
  review,
  secureQrAnswer,
  publicSigningKey,
  sessionSummary,
  signedPurgeCertificate,
  signedReceipt,
  testScenario,
  warning,
  webhookBody,
  webhookDelivery,
  workflow,
} = contracts

/** The schemas that responses consist of, under the names used by the document and the client. */
export const namedSchemas: Readonly<Record<string, z.ZodType>> = {
  Error: errorEnvelope,
  Session: sessionSummary,
  CreatedSession: createdSession,
  Decision: decision,
  Identity: identity,
  Check: check,
  Warning: warning,
  Review: review,
  SignedReceipt: signedReceipt,
  SignedPurgeCertificate: signedPurgeCertificate,
  PublicSigningKey: publicSigningKey,
  Workflow: workflow,
  AmlMatch: amlMatch,
  AmlAnswer: amlAnswer,
  ListInfo: listInfo,
  PanAnswer: panAnswer,
  MrzAnswer: mrzAnswer,
  FaceMatchAnswer: faceMatchAnswer,
  SecureQrAnswer: secureQrAnswer,
  DocumentAnswer: documentAnswer,
  ImageQuality: imageQuality,
  WebhookDelivery: webhookDelivery,
  WebhookEvent: webhookBody,
  TestScenario: testScenario,
  FlowState: flowState,
}

const nameOf = new Map(Object.entries(namedSchemas).map(([name, schema]) => [schema, name]))

/**
 * The JSON Schema of a contract. Responses refer to the named schemas and are open, because fields may be added;
 * requests are inlined and closed, because unknown fields are rejected.
 */
export function schemaOf(schema: z.ZodType, io: 'input' | 'output'): Json {
  const name = io === 'output' ? nameOf.get(schema) : undefined
  return name ? reference(name) : written(schema, io)
}

/** The named schemas for `components`. */
export const componentSchemas = (): Json =>
  Object.fromEntries(Object.entries(namedSchemas).map(([name, schema]) => [name, written(schema, 'output')]))

const reference = (name: string): Json => ({ $ref: `#/components/schemas/${name}` })

function written(root: z.ZodType, io: 'input' | 'output'): Json {
  const { $schema: _, ...rest } = z.toJSONSchema(root, {
    io,
    target: 'draft-2020-12',
    unrepresentable: 'any',
    override: ({ zodSchema, jsonSchema }) => {
      const plain = jsonSchema as Json
      // The library declares a narrower schema type here than where schemas are created.
      const schema = zodSchema as unknown as z.ZodType
      const name = io === 'output' && schema !== root ? nameOf.get(schema) : undefined
      if (name) {
        for (const key of Object.keys(plain)) delete plain[key]
        Object.assign(plain, reference(name))
        return
      }
      if (io === 'output' && plain.additionalProperties === false) delete plain.additionalProperties
      // The range of a JavaScript integer is no limit of the field.
      if (plain.maximum === Number.MAX_SAFE_INTEGER) delete plain.maximum
      if (plain.minimum === Number.MIN_SAFE_INTEGER) delete plain.minimum
      // OpenAPI 3.1 has `example` only for compatibility; JSON Schema uses the list `examples`.
      if ('example' in plain) {
        plain.examples = [plain.example]
        delete plain.example
      }
    },
  }) as Json
  return rest
}

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

/** What answers are made of, under the names that the document and the client give them. */
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
 * The JSON Schema of a contract. Answers refer to the named schemas and are open, since fields may be added to them;
 * requests are written out and closed, since an unknown field is refused.
 */
export function schemaOf(schema: z.ZodType, io: 'input' | 'output'): Json {
  const name = io === 'output' ? nameOf.get(schema) : undefined
  return name ? reference(name) : written(schema, io)
}

/** A named schema itself, as it stands under `components`. */
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
      // The library names its schemas by a narrower type here than where they are made.
      const schema = zodSchema as unknown as z.ZodType
      const name = io === 'output' && schema !== root ? nameOf.get(schema) : undefined
      if (name) {
        for (const key of Object.keys(plain)) delete plain[key]
        Object.assign(plain, reference(name))
        return
      }
      if (io === 'output' && plain.additionalProperties === false) delete plain.additionalProperties
      // The range of a JavaScript integer says nothing about the field.
      if (plain.maximum === Number.MAX_SAFE_INTEGER) delete plain.maximum
      if (plain.minimum === Number.MIN_SAFE_INTEGER) delete plain.minimum
      // OpenAPI 3.1 keeps `example` for compatibility; JSON Schema's own word is a list.
      if ('example' in plain) {
        plain.examples = [plain.example]
        delete plain.example
      }
    },
  }) as Json
  return rest
}

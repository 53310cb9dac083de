import { z } from 'zod'
import { amlMatch, listInfo } from '../domain/aml.ts'
import { warning } from '../domain/checks.ts'
import { documentType, identity } from '../domain/identity.ts'
import { calendarDate, timestamp } from '../domain/timestamp.ts'
import { defineContract, maxImageBytes, multipartOverheadBytes } from './define.ts'

const alpha3 = z.string().regex(/^[A-Z]{3}$/, 'must be an ISO alpha-3 code')

export const amlQuery = z.strictObject({
  full_name: z
    .string()
    .max(300)
    .refine((value) => value.trim().length > 0, 'must not be empty'),
  date_of_birth: z
    .union([calendarDate, z.string().regex(/^\d{4}$/)], { error: 'must be YYYY-MM-DD or YYYY' })
    .optional(),
  nationality: alpha3.optional(),
})
export type AmlQuery = z.infer<typeof amlQuery>

export const amlWarning = z.object({
  code: z.string(),
  severity: z.enum(['low', 'medium', 'high']),
  message: z.string(),
})

export const amlAnswer = z.object({
  matches: z.array(amlMatch),
  screened_at: timestamp,
  lists: z.array(listInfo),
  warnings: z.array(amlWarning),
})
export type AmlAnswer = z.infer<typeof amlAnswer>

export const panIssueCodes = [
  'invalid_length',
  'invalid_format',
  'unknown_holder_type',
  'zero_sequence',
  'name_initial_mismatch',
] as const
export const panHolderTypes = [
  'individual',
  'company',
  'hindu_undivided_family',
  'firm',
  'association_of_persons',
  'trust',
  'body_of_individuals',
  'local_authority',
  'artificial_juridical_person',
  'government',
  'unknown',
] as const

export const panAnswer = z.object({
  normalized: z.string(),
  valid_format: z.boolean(),
  holder_type: z.enum(panHolderTypes),
  name_initial_match: z.boolean().nullable(),
  issues: z.array(z.object({ code: z.enum(panIssueCodes), message: z.string() })),
  government_lookup: z.literal(false),
  note: z.string(),
})
export type PanAnswer = z.infer<typeof panAnswer>

export const mrzFormats = ['td1', 'td2', 'td3', 'mrv_a', 'mrv_b', 'fra_id'] as const

export const mrzAnswer = z.object({
  format: z.enum(mrzFormats),
  document_code: z.string(),
  issuing_state: z.string(),
  surname: z.string(),
  given_names: z.string(),
  document_number: z.string(),
  nationality: z.string(),
  birth_date_raw: z.string(),
  expiry_date_raw: z.string(),
  birth_date: z.string().nullable(),
  expiry_date: z.string().nullable(),
  sex: z.enum(['M', 'F', 'X']),
  optional_data: z.string().nullable(),
  optional_data_2: z.string().nullable(),
  check_digits: z.object({
    document_number: z.boolean().nullable(),
    birth_date: z.boolean().nullable(),
    expiry_date: z.boolean().nullable(),
    optional_data: z.boolean().nullable(),
    composite: z.boolean().nullable(),
  }),
  valid: z.boolean(),
  lines: z.array(z.string()),
  corrections: z.array(
    z.object({
      line: z.int(),
      position: z.int(),
      field: z.string(),
      from: z.string(),
      to: z.string(),
    }),
  ),
})
export type MrzAnswer = z.infer<typeof mrzAnswer>

export const faceMatchAnswer = z.object({
  similarity: z.number(),
  match: z.boolean(),
  threshold: z.number(),
  faces: z.object({ a: z.int().min(0), b: z.int().min(0) }),
})
export type FaceMatchAnswer = z.infer<typeof faceMatchAnswer>

export const secureQrAnswer = z.object({
  source: z.literal('secure_qr'),
  version: z.string(),
  aadhaar_last4: z.string().nullable(),
  generated_at: timestamp.nullable(),
  name: z.string(),
  dob_raw: z.string(),
  date_of_birth: z.string().nullable(),
  gender: z.string(),
  address: z.record(z.string(), z.string().nullable()),
  address_text: z.string(),
  mobile_hash: z.string().nullable(),
  email_hash: z.string().nullable(),
  photo_format: z.string().nullable(),
  photo_present: z.boolean(),
  signature: z.enum(['valid', 'invalid', 'no_certificates']),
  signature_key: z.string().nullable(),
})
export type SecureQrAnswer = z.infer<typeof secureQrAnswer>

/** Values are 0 to 1 unless the name indicates otherwise; null when not measurable. */
export const imageQuality = z.object({
  sharpness: z.number().nullable(),
  glare: z.number().nullable(),
  brightness: z.number().nullable(),
  resolution: z.number().nullable(),
  cropped: z.boolean().nullable(),
})
export type ImageQuality = z.infer<typeof imageQuality>

export const documentAnswer = z.object({
  document_type: documentType.nullable(),
  identity: identity
    .omit({ document_number_masked: true })
    .extend({ document_number: z.string().nullable() }),
  mrz: mrzAnswer.nullable(),
  quality: imageQuality,
  warnings: z.array(warning),
})
export type DocumentAnswer = z.infer<typeof documentAnswer>

const image = (description: string, required = true) => ({ required, max_bytes: maxImageBytes, description })

export const checkEndpoints = defineContract({
  screenName: {
    method: 'post',
    path: '/v1/checks/aml',
    service: 'sanctions-screening',
    caller: 'api_key',
    tag: 'Checks',
    summary: 'Screen a name against every loaded sanctions list',
    body: amlQuery,
    success: { status: 200, body: amlAnswer },
    errors: ['bad_request'],
    idempotent: 'recomputed',
  },
  screenNames: {
    method: 'post',
    path: '/v1/checks/aml/batch',
    service: 'sanctions-screening',
    caller: 'api_key',
    tag: 'Checks',
    summary: 'Screen up to 1,000 names; one JSON answer a line, in order',
    body: z.strictObject({
      names: z
        .array(amlQuery.extend({ id: z.string().min(1).max(256) }))
        .min(1)
        .max(1_000),
    }),
    success: { status: 200, body: amlAnswer.extend({ id: z.string() }), type: 'ndjson' },
    errors: ['bad_request'],
    idempotent: 'recomputed',
    max_body_bytes: 1024 * 1024,
  },
  validatePan: {
    method: 'post',
    path: '/v1/checks/pan',
    service: 'checks',
    caller: 'api_key',
    tag: 'Checks',
    summary: 'Validate the structure of a PAN',
    body: z.strictObject({ pan: z.string().max(64), name: z.string().max(200).optional() }),
    success: { status: 200, body: panAnswer },
    errors: ['bad_request'],
    idempotent: 'recomputed',
  },
  parseMrz: {
    method: 'post',
    path: '/v1/checks/mrz',
    service: 'checks',
    caller: 'api_key',
    tag: 'Checks',
    summary: 'Parse a machine readable zone, clean or noisy',
    body: z.strictObject({ lines: z.array(z.string().max(200)).max(20) }),
    success: { status: 200, body: mrzAnswer },
    errors: ['bad_request', 'unprocessable'],
    idempotent: 'recomputed',
  },
  matchFaces: {
    method: 'post',
    path: '/v1/checks/face-match',
    service: 'face-biometrics',
    caller: 'api_key',
    tag: 'Checks',
    summary: 'Compare the most prominent faces of two images',
    multipart: { files: { image_a: image('First image'), image_b: image('Second image') } },
    success: { status: 200, body: faceMatchAnswer },
    errors: ['bad_request', 'unprocessable'],
    idempotent: 'recomputed',
    costly: true,
    max_body_bytes: 2 * maxImageBytes + multipartOverheadBytes,
  },
  verifySecureQr: {
    method: 'post',
    path: '/v1/checks/aadhaar/secure-qr',
    service: 'checks',
    caller: 'api_key',
    tag: 'Checks',
    summary: 'Decode an Aadhaar Secure QR and verify its signature',
    body: z.strictObject({
      qr_text: z.string().max(16 * 1024),
    }),
    success: { status: 200, body: secureQrAnswer },
    errors: ['bad_request', 'unprocessable'],
    idempotent: 'recomputed',
  },
  readDocument: {
    method: 'post',
    path: '/v1/checks/document',
    service: 'checks',
    caller: 'api_key',
    tag: 'Checks',
    summary: 'Read a document from photos',
    multipart: {
      fields: z.strictObject({
        document_type: documentType.optional(),
        country: alpha3.optional(),
      }),
      files: { image: image('Front of the document'), image_back: image('Back of the document', false) },
    },
    success: { status: 200, body: documentAnswer },
    errors: ['bad_request', 'unprocessable'],
    idempotent: 'recomputed',
    costly: true,
    max_body_bytes: 2 * maxImageBytes + multipartOverheadBytes,
  },
})

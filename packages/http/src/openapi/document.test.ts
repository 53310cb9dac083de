import { describe, expect, test } from '@jest/globals'
import {
  allEndpoints,
  type Endpoint,
  errorCodes,
  errorStatus,
  errorsOf,
  type OperationId,
  webhookBody,
  webhookEventNames,
} from '@kyc/common'
import { Validator } from '@seriousme/openapi-schema-validator'
import { openApiDocument } from './document.ts'
import { eventExamples } from './event-examples.ts'
import { errorExamples, operationExamples } from './examples.ts'

type Response = { content?: Record<string, { schema: object; example?: unknown }>; headers?: object }
type Operation = { operationId: string; responses: Record<string, Response>; security: object[] }
const document = openApiDocument({ version: '1.0.0', serverUrl: 'https://kyc.example.com' }) as {
  openapi: string
  paths: Record<string, Record<string, Operation>>
  webhooks: Record<string, Record<string, Operation>>
  components: Record<string, Record<string, unknown>>
}
const operations = Object.values(document.paths).flatMap((path) => Object.values(path))
const operation = (id: string) => operations.find(({ operationId }) => operationId === id) as Operation

test('an independent validator accepts it as OpenAPI 3.1', async () => {
  const validator = new Validator()
  expect(await validator.validate(structuredClone(document))).toEqual({ valid: true })
  expect(validator.version).toBe('3.1')
})

test('the validator detects faults', async () => {
  const broken = { ...structuredClone(document), paths: { '/x': { get: { responses: [] } } } }
  expect((await new Validator().validate(broken)).valid).toBe(false)
})

test('every endpoint has an operation with every error code it can return', () => {
  expect(operations.map(({ operationId }) => operationId).sort()).toEqual(
    allEndpoints.map(({ operationId }) => operationId).sort(),
  )
  for (const endpoint of allEndpoints) {
    const { responses, security } = operation(endpoint.operationId)
    for (const code of errorsOf(endpoint)) expect(responses).toHaveProperty(String(errorStatus[code]))
    expect(responses).toHaveProperty(String(endpoint.success.status))
    expect(security).toEqual(endpoint.caller === 'api_key' ? [{ apiKey: [] }] : [])
    expect(responses[endpoint.success.status]?.headers).toHaveProperty('x-request-id')
  }
})

test('every reference resolves', () => {
  const references = [...JSON.stringify(document).matchAll(/"\$ref":"([^"]+)"/g)].map(
    (match) => match[1] ?? '',
  )
  expect(references.length).toBeGreaterThan(50)
  for (const reference of new Set(references)) {
    const [, root, kind, name] = reference.split('/')
    expect([root, kind]).toEqual(['components', expect.stringMatching(/^(schemas|headers)$/)])
    expect(document.components[kind as string]).toHaveProperty([name as string])
  }
})

test('it is plain JSON and survives serialisation unchanged', () => {
  expect(JSON.parse(JSON.stringify(document))).toEqual(document)
})

describe('examples', () => {
  const ids = Object.keys(operationExamples) as OperationId[]
  test.each(ids)('of %s are valid under its contract', (id) => {
    const endpoint = allEndpoints.find(({ operationId }) => operationId === id) as Endpoint
    const { request, response } = operationExamples[id] ?? {}
    if (request !== undefined) expect(endpoint.body?.safeParse(request)).toMatchObject({ success: true })
    if (response !== undefined) {
      const parsed = endpoint.success.body?.safeParse(response)
      expect(parsed).toMatchObject({ success: true })
      // The example has no field that the response would not have.
      expect(parsed?.data).toEqual(response)
    }
  })

  test('every endpoint with a JSON body has one', () => {
    for (const endpoint of allEndpoints) {
      if (!endpoint.body || endpoint.operationId === 'verifySecureQr') continue
      expect([endpoint.operationId, operationExamples[endpoint.operationId]?.request]).not.toContain(
        undefined,
      )
    }
  })

  const events = webhookEventNames.flatMap((event) =>
    Object.entries(eventExamples[event]).map(([name, { value }]) => [event, name, value] as const),
  )
  test.each(events)('of %s (%s) match what the service sends', (event, _, example) => {
    expect(webhookBody.parse(example)).toEqual(example)
    expect(example.event).toBe(event)
  })

  test('every error code has a description', () => {
    expect(Object.keys(errorExamples).sort()).toEqual([...errorCodes].sort())
  })
})

describe('the schemas of the document', () => {
  test('let responses gain fields, and requests reject unknown ones', () => {
    expect(JSON.stringify(document.components.schemas)).not.toContain('"additionalProperties":false')
    const create = document.paths['/v1/sessions']?.post as unknown as {
      requestBody: { content: Record<string, { schema: { additionalProperties: boolean } }> }
    }
    expect(create.requestBody.content['application/json']?.schema.additionalProperties).toBe(false)
  })

  test('declare for every POST of a backend the idempotency key, its errors and the replay header', () => {
    const keyed = allEndpoints.filter(({ method, caller }) => method === 'post' && caller === 'api_key')
    expect(keyed).toHaveLength(10)
    for (const { operationId, success } of keyed) {
      const { parameters, responses } = operation(operationId) as unknown as Operation & {
        parameters: { name: string }[]
      }
      expect([operationId, parameters.map(({ name }) => name)]).toEqual([
        operationId,
        expect.arrayContaining(['Idempotency-Key']),
      ])
      expect(responses).toMatchObject({ 400: {}, 409: {} })
      expect(responses[success.status]?.headers).toHaveProperty('idempotent-replayed')
    }
  })

  test('have for each kind of event a webhook with its own body and header', () => {
    expect(Object.keys(document.webhooks)).toEqual([...webhookEventNames])
    for (const event of webhookEventNames) {
      const { parameters, requestBody } = (document.webhooks[event] as Record<string, unknown>).post as {
        parameters: { name: string; schema: { const?: string } }[]
        requestBody: {
          content: { 'application/json': { schema: { properties: { event: { const: string } } } } }
        }
      }
      expect(requestBody.content['application/json'].schema.properties.event.const).toBe(event)
      expect(parameters.find(({ name }) => name === 'x-kyc-event')?.schema.const).toBe(event)
    }
  })
})

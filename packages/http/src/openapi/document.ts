import {
  allEndpoints,
  type Endpoint,
  type ErrorCode,
  errorEnvelope,
  errorStatus,
  errorsOf,
  webhookBody,
  webhookHeaders,
} from '@kyc/common'
import { z } from 'zod'

type Json = Record<string, unknown>
type Named = (typeof allEndpoints)[number]

const schemaOf = (schema: z.ZodType, io: 'input' | 'output'): Json => {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, {
    io,
    target: 'draft-2020-12',
    unrepresentable: 'any',
  }) as Json
  return rest
}

/** The OpenAPI 3.1 document of the whole interface, from the contracts alone. */
export function openApiDocument(options: { version: string; serverUrl?: string }): Json {
  const paths: Record<string, Json> = {}
  for (const endpoint of allEndpoints) {
    const path = endpoint.path.replace(/:(\w+)/g, '{$1}')
    const operations = paths[path] ?? {}
    operations[endpoint.method] = operationOf(endpoint)
    paths[path] = operations
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Identity verification',
      version: options.version,
      description:
        'Sessions, decisions, standalone checks and webhooks of a self-hosted identity-verification service.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    ...(options.serverUrl ? { servers: [{ url: options.serverUrl }] } : {}),
    tags: [...new Set(allEndpoints.map((endpoint) => endpoint.tag))].map((name) => ({ name })),
    paths,
    webhooks: { event: { post: webhookOperation() } },
    components: {
      securitySchemes: { apiKey: { type: 'apiKey', in: 'header', name: 'x-api-key' } },
      schemas: { Error: schemaOf(errorEnvelope, 'output') },
    },
  }
}

function operationOf(endpoint: Named): Json {
  return {
    operationId: endpoint.operationId,
    summary: endpoint.summary,
    tags: [endpoint.tag],
    security: endpoint.caller === 'api_key' ? [{ apiKey: [] }] : [],
    parameters: [...parametersOf(endpoint, 'params', 'path'), ...parametersOf(endpoint, 'query', 'query')],
    ...requestBodyOf(endpoint),
    responses: { [endpoint.success.status]: successOf(endpoint), ...errorResponses(errorsOf(endpoint)) },
    'x-error-codes': errorsOf(endpoint),
  }
}

function parametersOf(endpoint: Endpoint, part: 'params' | 'query', place: 'path' | 'query'): Json[] {
  const schema = endpoint[part]
  if (!schema) return []
  const { properties = {}, required = [] } = schemaOf(schema, 'input') as {
    properties?: Record<string, Json>
    required?: string[]
  }
  return Object.entries(properties).map(([name, item]) => ({
    name,
    in: place,
    required: place === 'path' || required.includes(name),
    schema: item,
  }))
}

function requestBodyOf(endpoint: Endpoint): Json {
  if (endpoint.body) {
    return {
      requestBody: {
        required: true,
        content: { 'application/json': { schema: schemaOf(endpoint.body, 'input') } },
      },
    }
  }
  if (!endpoint.multipart) return {}
  const { fields, files } = endpoint.multipart
  const text = fields ? (schemaOf(fields, 'input') as { properties?: Json; required?: string[] }) : {}
  const binary = (description: string) => ({
    type: 'string',
    contentMediaType: 'application/octet-stream',
    description,
  })
  const parts = Object.entries(files).map(([name, part]) => [
    name,
    part.max_count
      ? { type: 'array', maxItems: part.max_count, items: binary(part.description) }
      : binary(part.description),
  ])
  const required = Object.entries(files)
    .filter(([, part]) => part.required)
    .map(([name]) => name)
  const schema = {
    type: 'object',
    properties: { ...text.properties, ...Object.fromEntries(parts) },
    required: [...(text.required ?? []), ...required],
  }
  return { requestBody: { required: true, content: { 'multipart/form-data': { schema } } } }
}

const contentTypes = {
  json: 'application/json',
  ndjson: 'application/x-ndjson',
  html: 'text/html',
  binary: 'application/octet-stream',
  event_stream: 'text/event-stream',
} as const

function successOf({ success }: Endpoint): Json {
  if (success.type === 'html')
    return { description: 'A page', content: { 'text/html': { schema: { type: 'string' } } } }
  if (!success.body) return { description: 'Done' }
  const type = contentTypes[success.type ?? 'json']
  return { description: 'OK', content: { [type]: { schema: schemaOf(success.body, 'output') } } }
}

function errorResponses(codes: readonly ErrorCode[]): Record<string, Json> {
  const content = { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } }
  return Object.fromEntries(codes.map((code) => [errorStatus[code], { description: code, content }]))
}

function webhookOperation(): Json {
  return {
    operationId: 'receiveEvent',
    summary: 'What the service sends to your webhook URL; answer 2xx within 10 seconds',
    parameters: Object.values(webhookHeaders).map((name) => ({
      name,
      in: 'header',
      required: true,
      schema: { type: 'string' },
    })),
    requestBody: {
      required: true,
      content: { 'application/json': { schema: schemaOf(webhookBody, 'output') } },
    },
    responses: { '2XX': { description: 'Received' } },
  }
}

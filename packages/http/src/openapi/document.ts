import { allEndpoints } from '@kyc/common'
import { maxJsonDepth } from '../json-depth.ts'
import { operationOf } from './operation.ts'
import { componentSchemas, type Json } from './schemas.ts'
import { webhooksSection } from './webhooks.ts'

const description = `Sessions, decisions, standalone checks and webhooks of a self-hosted identity-verification service.

Every call but \`GET /health\` and this document carries \`x-api-key\`. Every error has the body
\`{"error":{"code","message"}}\`: branch on \`code\`. Every answer carries \`x-request-id\`.
A JSON body is nested at most ${maxJsonDepth} levels deep; a deeper one is 400 \`bad_request\`.`

/** The OpenAPI 3.1 document of the public API, derived from the contracts alone. */
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
      description,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: options.serverUrl ?? '/' }],
    tags: [...new Set(allEndpoints.map((endpoint) => endpoint.tag))].map((name) => ({ name })),
    paths,
    webhooks: webhooksSection(),
    components: {
      securitySchemes: {
        apiKey: {
          type: 'apiKey',
          in: 'header',
          name: 'x-api-key',
          description: '`kyc_test_…` of a test app or `kyc_live_…` of a live one. For backends only.',
        },
      },
      headers: componentHeaders,
      schemas: componentSchemas(),
    },
  }
}

const componentHeaders = {
  RequestId: {
    description: 'Names the request in logs; give it when you ask for help.',
    schema: { type: 'string' },
  },
  RateLimitLimit: { description: 'Requests a minute.', schema: { type: 'integer' } },
  RateLimitRemaining: { description: 'Requests left in this window.', schema: { type: 'integer' } },
  RateLimitReset: { description: 'Seconds until the window ends.', schema: { type: 'integer' } },
  ETag: { description: 'Names this answer; give it back in `If-None-Match`.', schema: { type: 'string' } },
  RetryAfter: { description: 'Seconds after which a retry may succeed.', schema: { type: 'integer' } },
  IdempotentReplayed: {
    description: '`true` where the answer is that of the first request with the same Idempotency-Key.',
    schema: { type: 'string', enum: ['true'] },
  },
}

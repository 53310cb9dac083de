import { allEndpoints, errorCodes } from '@kyc/common'
import { openApiDocument } from '@kyc/http'
import { type Schema, typescriptOf } from './typescript-of-schema.ts'

type Media = { schema: Schema }
type Operation = {
  operationId: string
  summary: string
  parameters: { name: string; in: string; required: boolean; schema: Schema }[]
  requestBody?: { content: Record<string, Media> }
  responses: Record<string, { content?: Record<string, Media> }>
}
type Document = {
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, Schema> }
}

const header = `// Made from the interface's contracts by \`pnpm --filter @kyc/client types\`; a test fails when it is out of date.\n`

/** Pages and the hosted flow are for browsers; the client is for backends. */
const isForBackends = ({ caller, operationId }: { caller: string; operationId: string }) =>
  caller === 'api_key' || operationId === 'getHealth'

/** `types.ts`: every named schema, and the inputs and the response of each operation. */
export function typesSource(): string {
  const document = openApiDocument({ version: '1.0.0' }) as unknown as Document
  const operations = Object.values(document.paths).flatMap((path) => Object.values(path))
  const schemas = Object.entries(document.components.schemas).map(
    ([name, schema]) => `export type ${name} = ${typescriptOf(schema)}\n`,
  )
  const wanted = allEndpoints.filter(isForBackends).map(({ operationId }) => operationId as string)
  const entries = operations
    .filter(({ operationId }) => wanted.includes(operationId))
    .map((operation) => {
      const parts = { params: place(operation, 'path'), query: place(operation, 'query') }
      const body = Object.values(operation.requestBody?.content ?? {})[0]?.schema
      const success = Object.entries(operation.responses).find(([status]) => status.startsWith('2'))?.[1]
      const answer = Object.values(success?.content ?? {})[0]?.schema
      return [
        `  /** ${operation.summary} */`,
        `  ${operation.operationId}: {`,
        `    params: ${parts.params}`,
        `    query: ${parts.query}`,
        `    body: ${body ? typescriptOf(body, '    ') : 'undefined'}`,
        `    answer: ${answer ? typescriptOf(answer, '    ') : 'undefined'}`,
        '  }',
      ].join('\n')
    })
  return [
    header,
    '/** An image or other file: its bytes. */',
    'export type FileInput = Blob | Uint8Array | ArrayBuffer\n',
    ...schemas,
    `export type ErrorCode = ${errorCodes.map((code) => `'${code}'`).join(' | ')}\n`,
    '/** What each operation takes and gives. */',
    `export type Operations = {\n${entries.join('\n')}\n}\n`,
  ].join('\n')
}

function place(operation: Operation, where: 'path' | 'query'): string {
  const parameters = operation.parameters.filter((parameter) => parameter.in === where)
  if (parameters.length === 0) return 'undefined'
  const fields = parameters.map(({ name, required, schema }) => {
    // A query parameter is text on the wire; callers may pass a number.
    const numeric = where === 'query' && schema.pattern === '^\\d{1,9}$'
    return `${name}${required ? '' : '?'}: ${numeric ? 'number' : typescriptOf(schema)}`
  })
  return `{ ${fields.join('; ')} }`
}

/** `routes.ts`: the route of each operation, and whether it is safe to repeat. */
export function routesSource(): string {
  const rows = allEndpoints.filter(isForBackends).map((endpoint) => {
    const method = endpoint.method.toUpperCase()
    const repeatable = ['GET', 'PUT', 'DELETE'].includes(method)
    const kind = endpoint.idempotent ? 'keyed' : repeatable ? 'repeatable' : 'once'
    return `  ${endpoint.operationId}: ['${method}', '${endpoint.path}', '${kind}'],`
  })
  return [
    header,
    "import type { Operations } from './types.ts'\n",
    '/** `keyed`: repeatable under an Idempotency-Key; `once`: a repetition may meet its own effect. */',
    "export type Repeat = 'keyed' | 'repeatable' | 'once'\n",
    'export const routes: Readonly<Record<keyof Operations, readonly [method: string, path: string, repeat: Repeat]>> = {',
    ...rows,
    '}\n',
  ].join('\n')
}

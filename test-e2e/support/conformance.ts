import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'

type Json = Record<string, unknown>
type Content = Record<string, { schema?: Json }>
type Response = { content?: Content; headers?: Json }
export type Operation = {
  operationId: string
  security: object[]
  parameters: { name: string; in: string; schema: Json }[]
  requestBody?: { content: Content }
  responses: Record<string, Response>
  'x-error-codes': string[]
}
export type Route = { method: string; path: string; operation: Operation }
export type OpenApi = {
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, Json> }
}

/** One response that does not conform to the document. */
export type Finding = { operation: string; status: number; problem: string }

/**
 * Validates responses against the OpenAPI document that the system itself serves, with an independent validator. The
 * schemas are closed first, so that an undocumented field is also a finding.
 */
export function conformanceOf(document: OpenApi) {
  const routes: Route[] = Object.entries(document.paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => ({
      method: method.toUpperCase(),
      path,
      operation,
    })),
  )
  const ajv = new Ajv2020({ strict: false, allErrors: true })
  addFormats.default(ajv)
  const compiled = new Map<string, ValidateFunction>()
  const validatorOf = (key: string, schema: Json): ValidateFunction => {
    const known = compiled.get(key)
    if (known) return known
    const made = ajv.compile({ ...(closed(schema) as Json), components: closed(document.components) as Json })
    compiled.set(key, made)
    return made
  }
  const findings: Finding[] = []
  const seen = new Map<string, Set<number>>()

  function judge(operation: Operation, status: number, headers: Headers, text: string): void {
    const id = operation.operationId
    const report = (problem: string) => findings.push({ operation: id, status, problem })
    seen.set(id, (seen.get(id) ?? new Set()).add(status))
    const described = operation.responses[status]
    if (!described) return void report(`the status is not in the document: ${text.slice(0, 200)}`)
    if (!/^[0-9a-f-]{36}$/.test(headers.get('x-request-id') ?? '')) report('no x-request-id')
    const type = (headers.get('content-type') ?? '').split(';')[0] ?? ''
    if (!described.content) {
      if (text !== '') report('a body where none is described')
      return
    }
    const media = described.content[type]
    if (!media?.schema) return void report(`the content type ${type} is not in the document`)
    if (type === 'text/html') return
    const validate = validatorOf(`${id} ${status}`, media.schema)
    const bodies = type === 'application/x-ndjson' ? text.split('\n').filter((line) => line !== '') : [text]
    for (const body of bodies) {
      if (!validate(JSON.parse(body))) report(ajv.errorsText(validate.errors, { separator: '; ' }))
    }
    if (status >= 400 && status !== 503) judgeError(operation, JSON.parse(text), report)
  }

  return { routes, findings, seen, judge }
}

function judgeError(operation: Operation, body: { error?: { code?: string } }, report: (p: string) => void) {
  const code = body.error?.code ?? ''
  if (!operation['x-error-codes'].includes(code)) report(`the code ${code} is not in the document`)
}

/** The same schema with additional properties forbidden in every object that lists its properties. */
function closed(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(closed)
  if (typeof schema !== 'object' || schema === null) return schema
  const entries = Object.entries(schema).map(([key, value]) => [key, closed(value)])
  const whole = Object.fromEntries(entries) as Json
  const names = whole.properties
  const isObject = whole.type === 'object' && typeof names === 'object'
  return isObject && whole.additionalProperties === undefined
    ? { ...whole, additionalProperties: false }
    : whole
}

/** Bodies that violate the schema of a request: each field with the wrong type, each required field missing. */
export function badBodies(schema: Json, good: Json): { why: string; body: unknown }[] {
  const properties = (schema.properties ?? {}) as Record<string, Json>
  const required = (schema.required ?? []) as string[]
  const wrong = Object.entries(properties).flatMap(([name, { type }]) =>
    type === undefined
      ? []
      : [{ why: `${name} of another type`, body: { ...good, [name]: otherThan(type) } }],
  )
  const missing = required.map((name) => {
    const { [name]: _, ...body } = good
    return { why: `without ${name}`, body }
  })
  const unknown = { why: 'an unknown field', body: { ...good, no_such_field: 1 } }
  return [...wrong, ...missing, unknown, { why: 'a list', body: [] }, { why: 'a text', body: 'x' }]
}

const otherThan = (type: unknown): unknown => (type === 'string' || type === 'boolean' ? 17 : 'seventeen')

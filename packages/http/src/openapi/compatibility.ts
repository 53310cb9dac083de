import type { Json } from './schemas.ts'

type Schema = Json & { properties?: Record<string, Schema>; required?: string[]; items?: Schema }
type Media = { schema?: Schema }
type Operation = {
  operationId: string
  security?: Record<string, unknown>[]
  parameters?: { name: string; in: string; required?: boolean; schema: Schema }[]
  requestBody?: { required?: boolean; content: Record<string, Media> }
  responses: Record<string, { content?: Record<string, Media> }>
}
type Document = {
  paths: Record<string, Record<string, Operation>>
  webhooks?: Record<string, Record<string, Operation>>
  components?: { schemas?: Record<string, Schema> }
}

/** The direction of a value: what a client sends must stay accepted, and what it reads must stay present. */
type Direction = 'sent' | 'read'
type Sides = { before: Document; after: Document; report: (problem: string) => void; visited: Set<string> }

/**
 * The changes in `after` that would break a client written for `before`. New operations, optional inputs, fields and
 * error codes are compatible, and so are new values of an enumeration that a client reads.
 */
export function incompatibilities(before: Json, after: Json): string[] {
  const problems: string[] = []
  const sides = {
    before: before as unknown as Document,
    after: after as unknown as Document,
    report: (problem: string) => void problems.push(problem),
    visited: new Set<string>(),
  }
  compareOperations(sides, sides.before.paths, sides.after.paths, 'sent')
  // A client reads the body of a webhook.
  compareOperations(sides, sides.before.webhooks ?? {}, sides.after.webhooks ?? {}, 'read')
  return [...new Set(problems)]
}

function compareOperations(
  sides: Sides,
  before: Document['paths'],
  after: Document['paths'],
  body: Direction,
): void {
  for (const [path, operations] of Object.entries(before)) {
    for (const [method, old] of Object.entries(operations)) {
      const now = after[path]?.[method]
      const where = `${method.toUpperCase()} ${path}`
      if (now) compareOperation(sides, where, old, now, body)
      else sides.report(`${where}: is gone`)
    }
  }
}

function compareOperation(sides: Sides, where: string, old: Operation, now: Operation, body: Direction) {
  const { report } = sides
  if (old.operationId !== now.operationId) report(`${where}: operationId is ${now.operationId} now`)
  if (JSON.stringify(old.security ?? []) !== JSON.stringify(now.security ?? []))
    report(`${where}: another key is needed`)
  compareParameters(sides, where, old, now)
  if (now.requestBody?.required && !old.requestBody?.required) report(`${where}: wants a body now`)
  for (const [type, media] of Object.entries(now.requestBody?.content ?? {})) {
    const before = old.requestBody?.content[type]
    if (before) compare(sides, `${where} body`, before.schema ?? {}, media.schema ?? {}, body)
  }
  for (const type of Object.keys(old.requestBody?.content ?? {})) {
    if (!now.requestBody?.content[type]) report(`${where}: takes no ${type} any more`)
  }
  for (const [status, response] of Object.entries(old.responses)) {
    if (!status.startsWith('2')) continue
    const answer = now.responses[status]
    if (!answer) report(`${where}: answers ${status} no more`)
    for (const [type, media] of Object.entries(response.content ?? {})) {
      const found = answer?.content?.[type]
      if (found) compare(sides, `${where} ${status}`, media.schema ?? {}, found.schema ?? {}, 'read')
      else if (answer) report(`${where} ${status}: is no ${type} any more`)
    }
  }
}

function compareParameters(sides: Sides, where: string, old: Operation, now: Operation): void {
  const known = (operation: Operation) =>
    new Map((operation.parameters ?? []).map((parameter) => [`${parameter.in} ${parameter.name}`, parameter]))
  const [before, after] = [known(old), known(now)]
  for (const [name, parameter] of before) {
    const found = after.get(name)
    if (!found) sides.report(`${where}: ${name} is gone`)
    else {
      if (found.required && !parameter.required) sides.report(`${where}: ${name} is required now`)
      compare(sides, `${where} ${name}`, parameter.schema, found.schema, 'sent')
    }
  }
  for (const [name, parameter] of after) {
    if (!before.has(name) && parameter.required) sides.report(`${where}: ${name} is new and required`)
  }
}

const lowerBounds = ['minLength', 'minItems', 'minimum', 'exclusiveMinimum']
const upperBounds = ['maxLength', 'maxItems', 'maximum', 'exclusiveMaximum']

function compare(sides: Sides, where: string, before: Schema, after: Schema, direction: Direction): void {
  const pair = `${direction} ${String(before.$ref)} ${String(after.$ref)}`
  if (before.$ref && after.$ref) {
    if (sides.visited.has(pair)) return
    sides.visited.add(pair)
  }
  const old = resolve(sides.before, before)
  const now = resolve(sides.after, after)
  const { report } = sides
  compareUnions(sides, where, old, now, direction)
  const gone = missingValues(old, now, direction)
  if (gone.length > 0)
    report(`${where}: ${gone.join(', ')} ${direction === 'sent' ? 'is refused' : 'may come'} now`)
  if (direction === 'sent') {
    for (const bound of lowerBounds)
      if (bounded(old, now, bound, 1)) report(`${where}: ${bound} is ${now[bound]} now`)
    for (const bound of upperBounds)
      if (bounded(old, now, bound, -1)) report(`${where}: ${bound} is ${now[bound]} now`)
    if (now.pattern !== undefined && now.pattern !== old.pattern) report(`${where}: another pattern`)
  }
  compareProperties(sides, where, old, now, direction)
  if (old.items && now.items) compare(sides, `${where}[]`, old.items, now.items, direction)
}

function compareProperties(
  sides: Sides,
  where: string,
  old: Schema,
  now: Schema,
  direction: Direction,
): void {
  const properties = now.properties ?? {}
  for (const [name, schema] of Object.entries(old.properties ?? {})) {
    const found = properties[name]
    const path = `${where}.${name}`
    if (!found) sides.report(`${path}: is gone`)
    else compare(sides, path, schema, found, direction)
  }
  const required = { old: new Set(old.required), now: new Set(now.required) }
  if (direction === 'sent') {
    for (const name of required.now)
      if (!required.old.has(name)) sides.report(`${where}.${name}: is required now`)
  } else {
    for (const name of required.old) {
      if (!required.now.has(name) && properties[name]) sides.report(`${where}.${name}: may be absent now`)
    }
  }
}

/** Alternatives are compared by position, because contracts append new ones. */
function compareUnions(sides: Sides, where: string, old: Schema, now: Schema, direction: Direction): void {
  const alternatives = (schema: Schema) =>
    ((schema.anyOf ?? schema.oneOf ?? []) as Schema[]).filter((item) => item.type !== 'null')
  const [before, after] = [alternatives(old), alternatives(now)]
  if (before.length === 0 && after.length === 0) return
  const [olds, nows] = [before.length > 0 ? before : [old], after.length > 0 ? after : [now]]
  if (direction === 'sent' && nows.length < olds.length) sides.report(`${where}: an alternative is gone`)
  for (const [index, schema] of olds.entries()) {
    const found = nows[index]
    if (found && (schema !== old || found !== now)) compare(sides, where, schema, found, direction)
  }
}

/** Types (and, for sent values, enumeration values) of one side that the other does not accept. */
function missingValues(old: Schema, now: Schema, direction: Direction): string[] {
  const [wide, narrow] = direction === 'sent' ? [old, now] : [now, old]
  const types = typesOf(narrow)
  const lost = [...typesOf(wide)].filter(
    (type) => types.size > 0 && !types.has(type) && !(type === 'integer' && types.has('number')),
  )
  const values = direction === 'sent' ? (now.enum as unknown[] | undefined) : undefined
  const dropped = values
    ? ((old.enum as unknown[] | undefined) ?? ['any other value']).filter((v) => !values.includes(v))
    : []
  return [...lost, ...dropped.map(String)]
}

function typesOf(schema: Schema): Set<string> {
  const alternatives = (schema.anyOf ?? schema.oneOf) as Schema[] | undefined
  if (alternatives)
    return new Set(alternatives.flatMap((item) => (item.$ref ? ['object'] : [...typesOf(item)])))
  const { type } = schema
  return new Set(Array.isArray(type) ? (type as string[]) : typeof type === 'string' ? [type] : [])
}

const bounded = (old: Schema, now: Schema, bound: string, sign: 1 | -1): boolean =>
  typeof now[bound] === 'number' && (typeof old[bound] !== 'number' || sign * now[bound] > sign * old[bound])

function resolve(document: Document, schema: Schema): Schema {
  if (typeof schema.$ref !== 'string') return schema
  return document.components?.schemas?.[schema.$ref.split('/').at(-1) ?? ''] ?? {}
}

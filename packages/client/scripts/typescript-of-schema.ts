/** The subset of JSON Schema that the OpenAPI document uses. */
export type Schema = {
  $ref?: string
  type?: string | string[]
  enum?: unknown[]
  const?: unknown
  anyOf?: Schema[]
  oneOf?: Schema[]
  allOf?: Schema[]
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  additionalProperties?: boolean | Schema
  contentMediaType?: string
  description?: string
  pattern?: string
  format?: string
}

const scalars: Readonly<Record<string, string>> = {
  string: 'string',
  integer: 'number',
  number: 'number',
  boolean: 'boolean',
  null: 'null',
}

/** The TypeScript type of a schema. Throws on an unknown construct, so that no type silently becomes too wide. */
export function typescriptOf(schema: Schema, indent = ''): string {
  if (schema.$ref) return schema.$ref.split('/').at(-1) as string
  if (schema.contentMediaType) return 'FileInput'
  if (schema.enum) return schema.enum.map((value) => literal(value)).join(' | ')
  if ('const' in schema) return literal(schema.const)
  const union = schema.anyOf ?? schema.oneOf
  if (union) return [...new Set(union.map((item) => typescriptOf(item, indent)))].join(' | ')
  if (schema.allOf) return schema.allOf.map((item) => `(${typescriptOf(item, indent)})`).join(' & ')
  if (Array.isArray(schema.type)) {
    return schema.type.map((type) => typescriptOf({ ...schema, type }, indent)).join(' | ')
  }
  if (schema.type === 'array') return `Array<${typescriptOf(schema.items ?? {}, indent)}>`
  if (schema.type === 'object') return objectOf(schema, indent)
  if (schema.type === undefined && Object.keys(schema).length === 0) return 'unknown'
  const scalar = schema.type === undefined ? undefined : scalars[schema.type]
  if (scalar === undefined) throw new Error(`no TypeScript for ${JSON.stringify(schema)}`)
  return scalar
}

function objectOf(schema: Schema, indent: string): string {
  const entries = Object.entries(schema.properties ?? {})
  if (entries.length === 0) {
    const rest = schema.additionalProperties
    return `Record<string, ${typeof rest === 'object' ? typescriptOf(rest, indent) : 'unknown'}>`
  }
  const inner = `${indent}  `
  const lines = entries.flatMap(([name, item]) => {
    const optional = schema.required?.includes(name) ? '' : '?'
    const comment = item.description ? [`${inner}/** ${item.description} */`] : []
    return [...comment, `${inner}${name}${optional}: ${typescriptOf(item, inner)}`]
  })
  return `{\n${lines.join('\n')}\n${indent}}`
}

const literal = (value: unknown): string =>
  typeof value === 'string' ? `'${value.replaceAll("'", "\\'")}'` : String(value)

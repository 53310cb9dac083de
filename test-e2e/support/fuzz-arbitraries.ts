import type { Endpoint } from '@kyc/common'
import fc, { type Arbitrary } from 'fast-check'
import { z } from 'zod'

type Schema = {
  type?: string | string[]
  const?: unknown
  enum?: unknown[]
  anyOf?: Schema[]
  oneOf?: Schema[]
  allOf?: Schema[]
  properties?: Record<string, Schema>
  required?: string[]
  additionalProperties?: Schema | boolean
  items?: Schema
  minItems?: number
  maxItems?: number
  minLength?: number
  maxLength?: number
  pattern?: string
  format?: string
  minimum?: number
  maximum?: number
  $ref?: string
  $defs?: Record<string, Schema>
}

/**
 * Values of a contract's schema as a client would send them. Constraints beyond JSON Schema (refinements) may still
 * fail.
 */
export function validOf(schema: z.ZodType): Arbitrary<unknown> {
  const root = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as Schema
  return arbitraryOf(root, root.$defs ?? {})
}

function arbitraryOf(schema: Schema, definitions: Record<string, Schema>): Arbitrary<unknown> {
  const inner = (part: Schema) => arbitraryOf(part, definitions)
  if (schema.$ref) return inner(definitions[schema.$ref.replace('#/$defs/', '')] ?? {})
  if (schema.const !== undefined) return fc.constant(schema.const)
  if (schema.enum) return fc.constantFrom(...schema.enum)
  const choices = schema.anyOf ?? schema.oneOf
  if (choices) return fc.oneof(...choices.map(inner))
  if (schema.allOf?.[0]) return inner({ ...schema.allOf[0], ...schema, allOf: undefined } as Schema)
  const type = Array.isArray(schema.type) ? schema.type[0] : schema.type
  switch (type) {
    case 'string':
      return stringOf(schema)
    case 'integer':
      return fc.integer({
        min: Math.max(schema.minimum ?? -1e9, -1e9),
        max: Math.min(schema.maximum ?? 1e9, 1e9),
      })
    case 'number':
      return fc.double({ min: schema.minimum ?? -1e9, max: schema.maximum ?? 1e9, noNaN: true })
    case 'boolean':
      return fc.boolean()
    case 'null':
      return fc.constant(null)
    case 'array':
      return fc.array(inner(schema.items ?? {}), {
        minLength: schema.minItems ?? 0,
        maxLength: Math.min(schema.maxItems ?? 6, (schema.minItems ?? 0) + 6),
      })
    case 'object':
      return objectOf(schema, inner)
    default:
      return fc.jsonValue({ maxDepth: 2 })
  }
}

function objectOf(schema: Schema, inner: (part: Schema) => Arbitrary<unknown>): Arbitrary<unknown> {
  const properties = Object.entries(schema.properties ?? {})
  const known = fc.record(Object.fromEntries(properties.map(([name, part]) => [name, inner(part)])), {
    requiredKeys: schema.required ?? [],
  })
  if (properties.length > 0 || !schema.additionalProperties) return known
  const value =
    typeof schema.additionalProperties === 'object' ? inner(schema.additionalProperties) : fc.jsonValue()
  return fc.dictionary(fc.string({ maxLength: 12 }), value, { maxKeys: 6 })
}

function stringOf({ minLength = 0, maxLength = 60, pattern, format }: Schema): Arbitrary<string> {
  if (format === 'email') return fc.emailAddress()
  // A name that never resolves (RFC 6761), because some of these URLs are requested.
  if (format === 'uri') return fc.webUrl().map((url) => url.replace(/^(https?:\/\/[^/:?#]+)/, '$1.invalid'))
  if (pattern) return fc.stringMatching(new RegExp(pattern)).map((text) => text.slice(0, 400))
  const longest = Math.max(minLength, Math.min(maxLength, 80))
  return fc.oneof(
    fc.string({ minLength, maxLength: longest }),
    fc.string({ minLength, maxLength: longest, unit: 'grapheme' }),
    fc.string({ minLength: Math.min(maxLength, 400), maxLength: Math.min(maxLength, 400) }),
  )
}

/** Values that commonly break parsers, stores and pages. */
export const hostileValues: readonly unknown[] = [
  null, true, -1, 0, 1.5, 2 ** 53, -(2 ** 63), 1e308, '', ' ', '\u0000', '\u0000\u0001\u001f', '\ud800', '\udfff\ud800',
  '\u202e\u2066', '\ufeff', 'a\r\nset-cookie: x=1', '../../../../etc/passwd', '..%2f..%2f', '%00', '%c0%ae', "' OR '1'='1",
  "'; DROP TABLE session; --", '\\', '$1', '{{7*7}}', '<script>alert(1)</script>', '{"$gt":""}', 'NaN', 'Infinity',
  '9'.repeat(400), '9'.repeat(16_000), 'A'.repeat(20_000), '<'.repeat(8_000), '((a+)+)+$', `${'a'.repeat(5_000)}!`, '\u{1f468}\u200d'.repeat(2_000),
  'ﷺ'.repeat(1_000), 'İ'.repeat(500), 'é'.normalize('NFD').repeat(500), [], [[]], [null], {}, { length: -1 }, { toString: 1 },
  { constructor: { prototype: { polluted: true } } }, JSON.parse('{"__proto__":{"polluted":true}}'),
  new Array(2_000).fill(0), 'javascript:alert(1)', 'http://169.254.169.254/latest/meta-data', 'file:///etc/passwd',
  '0001-01-01', '9999-99-99', '2024-02-30', '-271821-04-20', 'ses_AAAAAAAAAAAAAAAAAAAAAAAA', 'kyc_live_x',
] // biome-ignore format: a list of values

const hostile = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...hostileValues) },
  { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 4 }) },
)

/** A valid value with one to three of its members replaced, dropped or added. */
export const nearlyValidOf = (schema: z.ZodType): Arbitrary<unknown> =>
  fc
    .tuple(validOf(schema), fc.array(fc.tuple(fc.nat(), fc.nat(2), hostile), { minLength: 1, maxLength: 3 }))
    .map(([value, changes]) => changes.reduce<unknown>(changed, value))

function changed(value: unknown, [at, how, other]: [number, number, unknown]): unknown {
  if (typeof value !== 'object' || value === null) return other
  if (Array.isArray(value))
    return how === 0 ? [...value, other] : value.with(at % Math.max(1, value.length || 1), other)
  const names = Object.keys(value)
  const name = names[at % Math.max(1, names.length)] ?? 'x'
  const copy: Record<string, unknown> = { ...value }
  if (how === 0) delete copy[name]
  else if (how === 1) copy[name] = other
  else copy[`${name}_`] = other
  return copy
}

/** Bodies that match no contract: broken, deeply nested, with duplicate keys, wrongly encoded, or not JSON at all. */
export const hostileBodies: Arbitrary<Buffer> = fc.oneof(
  fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes)),
  fc.constantFrom(
    ...[
      '', '{', '}', '[]', 'null', '0', '"x"', '{"a":1,}', "{'a':1}", '{"a":1}{"b":2}', '\ufeff{}', '{"a":1e999}',
      '{"full_name":"a","full_name":["b"]}', '{"__proto__":{"admin":true},"full_name":"x"}',
      '{"constructor":{"prototype":{"admin":true}}}', `${'['.repeat(20_000)}${']'.repeat(20_000)}`,
      `${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}`, `{"full_name":"${'x'.repeat(60_000)}"}`,
      '<?xml version="1.0"?><!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]><a>&b;</a>',
    ].map((text) => Buffer.from(text)),
    Buffer.from([0xff, 0xfe, 0x7b, 0x00, 0x7d, 0x00]),
    Buffer.from([0x7b, 0x22, 0xc3, 0x28, 0x22, 0x3a, 0x31, 0x7d]),
  ),
) // biome-ignore format: a list of bodies

/** A path with its parameters filled: from `known` ids, or with values that never were ids. */
export const pathOf = (
  endpoint: Endpoint,
  known: Readonly<Record<string, readonly string[]>>,
): Arbitrary<string> => {
  const parts = endpoint.path.split('/').map((part) => {
    if (!part.startsWith(':')) return fc.constant(part)
    const real = known[part.slice(1)] ?? []
    const strange = fc
      .constantFrom(
        ...hostileValues.filter((value) => typeof value === 'string').map((value) => value.slice(0, 300)),
      )
      .map((text) => encodeURIComponent(text.toWellFormed()) || 'x')
    const raw = fc.constantFrom('%', '%zz', '%00', '%2e%2e', '..', '.', '%ff', 'a%2fb', ';a=b', '*')
    return real.length === 0
      ? fc.oneof(strange, raw)
      : fc.oneof({ weight: 6, arbitrary: fc.constantFrom(...real) }, { weight: 2, arbitrary: strange }, raw)
  })
  return fc.tuple(...parts).map((filled) => filled.join('/'))
}

export const queryOf = (endpoint: Endpoint): Arbitrary<string> => {
  const strange = fc.constantFrom(
    '', 'page=1&page=2', 'page=-1', 'page=1e9', 'page_size=1000', 'page=9007199254740993', '__proto__[x]=1', 'a[b]=c', '%', '%ff=%ff',
    'status=%00', `vendor_data=${'x'.repeat(5_000)}`, 'page[]=1', 'constructor=1', '?'.repeat(50), '&'.repeat(500), 'a=1;b=2',
  ) // biome-ignore format: a list of queries
  if (!endpoint.query) return fc.oneof({ weight: 5, arbitrary: fc.constant('') }, strange)
  const valid = fc.oneof(validOf(endpoint.query), nearlyValidOf(endpoint.query)).map((value) => {
    const pairs = typeof value === 'object' && value !== null ? Object.entries(value) : []
    return pairs
      .map(
        ([name, item]) =>
          `${encodeURIComponent(name.toWellFormed())}=${encodeURIComponent(String(JSON.stringify(item)).slice(0, 3_000).toWellFormed())}`,
      )
      .join('&')
  })
  return fc.oneof({ weight: 4, arbitrary: valid }, strange)
}

import { describe, expect, test } from '@jest/globals'
import { z } from 'zod'
import { allConsoleEndpoints } from './console/index.ts'
import type { Endpoint } from './define.ts'
import { allEndpoints } from './index.ts'

type Schema = { [name: string]: unknown }
const isSchema = (value: unknown): value is Schema => typeof value === 'object' && value !== null

/** Every schema within `schema`, including itself, with the path of its field. */
function* partsOf(schema: unknown, path: string): Generator<[string, Schema]> {
  if (!isSchema(schema)) return
  yield [path, schema]
  for (const [name, part] of Object.entries(isSchema(schema.properties) ? schema.properties : {}))
    yield* partsOf(part, `${path}.${name}`)
  for (const part of [schema.items, schema.additionalProperties]) yield* partsOf(part, `${path}[]`)
  for (const kind of ['anyOf', 'oneOf', 'allOf'])
    for (const part of Array.isArray(schema[kind]) ? schema[kind] : []) yield* partsOf(part, path)
}

const endpoints: readonly (Endpoint & { operationId: string })[] = [...allEndpoints, ...allConsoleEndpoints]

/** Every schema of every request: of its path, query, body and multipart fields. */
const requestParts = endpoints.flatMap(({ operationId, params, query, body, multipart }) =>
  Object.entries({ params, query, body, fields: multipart?.fields }).flatMap(([part, schema]) =>
    schema === undefined
      ? []
      : [
          ...partsOf(
            z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }),
            `${operationId}.${part}`,
          ),
        ],
  ),
)

/** Without `*`, `+` and `{n,}`, a pattern that matches the whole text bounds its length. */
const isBounding = (pattern: unknown) =>
  typeof pattern === 'string' && /^\^.*\$$/.test(pattern) && !/[^\\][*+]|\{\d+,\}/.test(pattern)

describe('every request', () => {
  test('is scanned', () => {
    expect(requestParts.length).toBeGreaterThan(300)
    expect(requestParts.some(([path]) => path === 'createSession.body.vendor_data')).toBe(true)
  })

  /**
   * Language tags select one of the session's languages, and a signed head is compared with its signature: neither is
   * stored or searched, and the size of the body bounds both.
   */
  const unstored = [
    'giveConsent.body.locale',
    'startFlow.body.locale',
    'verifyAudit.body.head.signature.key_id',
    'verifyAudit.body.head.signature.value',
  ]

  test('has a maximum length for each text that is stored or searched', () => {
    const unbounded = requestParts
      .filter(([, { type }]) => type === 'string')
      .filter(([, part]) => part.enum === undefined && part.const === undefined)
      .filter(([, { maxLength, pattern }]) => maxLength === undefined && !isBounding(pattern))
    expect(unbounded.map(([path]) => path).sort()).toEqual(unstored)
  })

  test('has a minimum and a maximum for each number', () => {
    const unbounded = requestParts
      .filter(([, { type }]) => type === 'number' || type === 'integer')
      .filter(([, part]) => part.enum === undefined && part.const === undefined)
      .filter(
        ([, { minimum, exclusiveMinimum, maximum, exclusiveMaximum }]) =>
          (minimum ?? exclusiveMinimum) === undefined || (maximum ?? exclusiveMaximum) === undefined,
      )
    expect(unbounded.map(([path]) => path)).toEqual([])
  })

  test('rejects unknown fields in each object', () => {
    const open = requestParts
      .filter(([path]) => !/\.params$|^verifyAudit\.body\.head/.test(path))
      .filter(([, { type, properties }]) => type === 'object' && isSchema(properties))
      .filter(([, { additionalProperties }]) => additionalProperties !== false)
    expect(open.map(([path]) => path)).toEqual([])
  })
})

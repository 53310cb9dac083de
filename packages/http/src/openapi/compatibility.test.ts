import { readFileSync } from 'node:fs'
import { describe, expect, test } from '@jest/globals'
import { incompatibilities } from './compatibility.ts'
import { openApiDocument } from './document.ts'

// biome-ignore lint/suspicious/noExplicitAny: a document is edited at any depth here
type Any = any
const document = openApiDocument({ version: '1.0.0' })
const baseline = JSON.parse(readFileSync(new URL('../../openapi.baseline.json', import.meta.url), 'utf8'))

test('a client written for the published API still works (an intended break needs a new version)', () => {
  expect(incompatibilities(baseline, document)).toEqual([])
})

test('the document is compatible with itself', () => {
  expect(incompatibilities(document, document)).toEqual([])
})

const changed = (change: (copy: Any) => void) => {
  const copy = structuredClone(document) as Any
  change(copy)
  return incompatibilities(document, copy)
}
const createBody = (copy: Any) =>
  copy.paths['/v1/sessions'].post.requestBody.content['application/json'].schema
const listQuery = (copy: Any, name: string) =>
  copy.paths['/v1/sessions'].get.parameters.find((parameter: Any) => parameter.name === name)

describe('breaks a client', () => {
  test.each<[string, (copy: Any) => void]>([
    ['an operation is gone', (copy) => delete copy.paths['/v1/workflows']],
    ['a method is gone', (copy) => delete copy.paths['/v1/sessions/{session_id}'].delete],
    ['a query parameter is gone', (copy) => copy.paths['/v1/sessions'].get.parameters.shift()],
    ['a query parameter is required', (copy) => (listQuery(copy, 'status').required = true)],
    ['a value of a query parameter is refused', (copy) => listQuery(copy, 'status').schema.enum.pop()],
    ['a body is required', (copy) => (copy.paths['/v1/sessions'].post.requestBody.required = true)],
    ['a body field is required', (copy) => (createBody(copy).required = ['vendor_data'])],
    ['a body field is gone', (copy) => delete createBody(copy).properties.metadata],
    ['a text must be shorter', (copy) => (createBody(copy).properties.vendor_data.maxLength = 255)],
    ['a number must be larger', (copy) => (createBody(copy).properties.expires_in_hours.minimum = 2)],
    ['a text gets a form', (copy) => (createBody(copy).properties.vendor_data.pattern = '^x')],
    ['a body field changes its type', (copy) => (createBody(copy).properties.vendor_data.type = 'integer')],
    ['an answer loses a field', (copy) => delete copy.components.schemas.Session.properties.vendor_data],
    ['an answered field may be absent', (copy) => copy.components.schemas.Session.required.pop()],
    [
      'an answered text may be a number',
      (copy) => (copy.components.schemas.Session.properties.workflow_id.type = ['string', 'integer']),
    ],
    [
      'an answered field may be null',
      (copy) =>
        (copy.components.schemas.Check.properties.data = { anyOf: [{ type: 'object' }, { type: 'null' }] }),
    ],
    ['a deep answer loses a field', (copy) => delete copy.components.schemas.Identity.properties.sources],
    [
      'the answer has another status',
      (copy) => {
        const { responses } = copy.paths['/v1/sessions'].post
        responses[200] = responses[201]
        delete responses[201]
      },
    ],
    ['an open endpoint wants a key', (copy) => (copy.paths['/health'].get.security = [{ apiKey: [] }])],
    [
      'an event loses a field',
      (copy) => delete copy.components.schemas.WebhookEvent.oneOf[0].properties.created_at,
    ],
  ])('%s', (_, change) => {
    expect(changed(change)).toHaveLength(1)
  })
})

describe('is compatible', () => {
  test.each<[string, (copy: Any) => void]>([
    ['a new operation', (copy) => (copy.paths['/v1/new'] = copy.paths['/v1/workflows'])],
    [
      'a new optional parameter',
      (copy) => copy.paths['/v1/sessions'].get.parameters.push({ name: 'x', in: 'query', schema: {} }),
    ],
    ['a new optional body field', (copy) => (createBody(copy).properties.extra = { type: 'string' })],
    ['a longer text', (copy) => (createBody(copy).properties.vendor_data.maxLength = 512)],
    [
      'a new field in an answer',
      (copy) => (copy.components.schemas.Session.properties.extra = { type: 'string' }),
    ],
    ['a new status to read', (copy) => copy.components.schemas.Session.properties.status.enum.push('paused')],
    [
      'a field that is always there now',
      (copy) => copy.components.schemas.AmlMatch.required.push('nationality_match'),
    ],
  ])('%s', (_, change) => {
    expect(changed(change)).toEqual([])
  })
})

import { expect, test } from '@jest/globals'
import { allEndpoints } from '@kyc/common'
import { openApiDocument } from './document.ts'

const document = openApiDocument({ version: '1.0.0' }) as {
  openapi: string
  paths: Record<string, Record<string, { operationId: string; responses: Record<string, unknown> }>>
}

test('every endpoint has its operation, with its answers', () => {
  const operations = Object.values(document.paths).flatMap((path) => Object.values(path))
  expect(operations.map((operation) => operation.operationId).sort()).toEqual(
    allEndpoints.map((endpoint) => endpoint.operationId).sort(),
  )
  for (const operation of operations) expect(Object.keys(operation.responses).length).toBeGreaterThan(1)
})

test('it is plain JSON without references to nowhere', () => {
  const text = JSON.stringify(document)
  const references = [...text.matchAll(/"\$ref":"([^"]+)"/g)].map((match) => match[1])
  expect(new Set(references)).toEqual(new Set(['#/components/schemas/Error']))
})

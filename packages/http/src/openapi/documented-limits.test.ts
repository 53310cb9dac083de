import { readFileSync } from 'node:fs'
import { expect, test } from '@jest/globals'
import { allEndpoints, createSessionBody, maxImageBytes } from '@kyc/common'
import type { z } from 'zod'

const page = readFileSync(new URL('../../../docs-site/guide/limits.md', import.meta.url), 'utf8')
const endpoint = (id: string) => {
  const found = allEndpoints.find(({ operationId }) => operationId === id)
  if (!found) throw new Error(`no operation ${id}`)
  return found
}
const accepts = (schema: z.ZodType | undefined, value: unknown) => schema?.safeParse(value).success ?? false

/** A row of the table in the guide, with values at its bounds and just beyond them. */
const rows: [row: string, schema: z.ZodType | undefined, within: unknown[], beyond: unknown[]][] = [
  [
    '| `vendor_data` | 256 characters |',
    createSessionBody,
    [{ vendor_data: 'x'.repeat(256) }],
    [{ vendor_data: 'x'.repeat(257) }],
  ],
  [
    '| `callback_url` | 2048 characters, `http` or `https`, without user information,',
    createSessionBody,
    [{ callback_url: `https://example.com/${'x'.repeat(2028)}` }, { callback_url: 'http://example.com/' }],
    [
      { callback_url: `https://example.com/${'x'.repeat(2029)}` },
      { callback_url: '/path' },
      { callback_url: 'javascript:alert(1)' },
      { callback_url: 'ftp://example.com/' },
      { callback_url: 'https://user:password@example.com/' },
      { callback_url: 'https://example.com/\n' },
    ],
  ],
  [
    '| `metadata` | a JSON object of at most 8 KB',
    createSessionBody,
    [{ metadata: { a: 'x'.repeat(8_000) } }],
    [{ metadata: { a: 'x'.repeat(8_192) } }, { metadata: [] }, { metadata: 'text' }],
  ],
  [
    '| `expires_in_hours` | 1 to 720,',
    createSessionBody,
    [{ expires_in_hours: 1 }, { expires_in_hours: 720 }],
    [
      { expires_in_hours: 0 },
      { expires_in_hours: 721 },
      { expires_in_hours: 1.5 },
      { expires_in_hours: '1' },
    ],
  ],
  [
    '| review note | 2000 characters |',
    endpoint('decideSession').body,
    [{ status: 'approved', note: 'x'.repeat(2000) }],
    [{ status: 'approved', note: 'x'.repeat(2001) }],
  ],
  [
    '| `page_size` | 1 to 100,',
    endpoint('listSessions').query,
    [{ page_size: '1' }, { page_size: '100' }],
    [{ page_size: '0' }, { page_size: '101' }, { page_size: '1e2' }, { page_size: '9007199254740993' }],
  ],
]

test.each(rows)('the documented limit "%s" matches the contract', (row, schema, within, beyond) => {
  expect(page).toContain(row)
  for (const value of within) expect([value, accepts(schema, value)]).toEqual([value, true])
  for (const value of beyond) expect([value, accepts(schema, value)]).toEqual([value, false])
})

test('the documented image size applies to every upload', () => {
  expect(page).toContain('| images | JPEG, PNG or WebP, 10 MB each |')
  expect(maxImageBytes).toBe(10 * 1024 * 1024)
  const parts = allEndpoints.flatMap(({ multipart }) => Object.values(multipart?.files ?? {}))
  expect(parts.length).toBeGreaterThan(3)
  for (const part of parts) expect(part.max_bytes).toBeLessThanOrEqual(maxImageBytes)
})

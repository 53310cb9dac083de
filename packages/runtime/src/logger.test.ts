import { expect, test } from '@jest/globals'
import { redact } from './logger.ts'

test('fields with personal names are redacted wherever they stand', () => {
  const logged = JSON.stringify(
    redact({
      session_id: 'ses_1',
      identity: { full_name: 'MARKER-NAME' },
      nested: { list: [{ document_number: 'MARKER-NUMBER', ok: 1 }] },
      headers: { 'x-api-key': 'MARKER-KEY' },
      image: Buffer.from('MARKER-IMAGE'),
    }),
  )
  expect(logged).not.toContain('MARKER')
  expect(logged).toContain('ses_1')
})

test('a flow token in a path is masked', () => {
  expect(redact('GET /flow/MARKERtoken123/state 200')).toBe('GET /flow/:token/state 200')
})

test('an error keeps its name, message and causes', () => {
  const error = new Error('outer', { cause: new Error('inner') })
  expect(redact(error)).toMatchObject({ name: 'Error', message: 'outer', cause: { message: 'inner' } })
})

test('something that contains itself does not hang', () => {
  const loop: Record<string, unknown> = {}
  loop.self = loop
  expect(() => redact(loop)).not.toThrow()
})

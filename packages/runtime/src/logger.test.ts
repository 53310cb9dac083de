import { Writable } from 'node:stream'
import { describe, expect, test } from '@jest/globals'
import { createLogger, redact } from './logger.ts'

test('redacts fields with personal data at every depth', () => {
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

test.each([
  'full_name',
  'fullName',
  'FULL-NAME',
  'sessionToken',
  'apiKey',
  'X-Api-Key',
  'Set-Cookie',
  'dateOfBirth',
])('redacts the field %s in every spelling', (field) => {
  expect(redact({ [field]: 'MARKER' })).toEqual({ [field]: '[redacted]' })
})

test('masks a flow token in a path, also in the message and stack of an error', () => {
  expect(redact('GET /flow/MARKERtoken123/state 200')).toBe('GET /flow/:token/state 200')
  const cause = new Error('connect to http://flow:8080/flow/MARKERtoken123 failed')
  const logged = JSON.stringify(redact(new Error('request to /flow/MARKERtoken123 failed', { cause })))
  expect(logged).not.toContain('MARKER')
  expect(logged).toContain('/flow/:token failed')
})

test('an error keeps its name, message and causes', () => {
  const error = new Error('outer', { cause: new Error('inner') })
  expect(redact(error)).toMatchObject({ name: 'Error', message: 'outer', cause: { message: 'inner' } })
})

test('a circular object is truncated at a limited depth', () => {
  const loop: Record<string, unknown> = {}
  loop.self = loop
  expect(() => redact(loop)).not.toThrow()
})

describe('a log line', () => {
  function written(log: (logger: ReturnType<typeof createLogger>) => void): string {
    let text = ''
    const stream = new Writable({
      write(chunk, _encoding, done) {
        text += String(chunk)
        done()
      },
    })
    log(createLogger({ service: 'example', level: 'debug', stream }))
    return text
  }

  test('is one JSON object with the time in UTC, the level, the service and the fields of its logger', () => {
    const text = written((logger) =>
      logger.child({ request_id: 'r1', trace_id: 't1' }).warn('refused', { n: 1 }),
    )
    expect(JSON.parse(text)).toEqual({
      timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      level: 'warn',
      service: 'example',
      message: 'refused',
      request_id: 'r1',
      trace_id: 't1',
      n: 1,
    })
  })

  test('is redacted, whether the field is of the line or of its logger', () => {
    const text = written((logger) =>
      logger
        .child({ token: 'MARKER', flow: { email: 'MARKER' } })
        .info('read', { image: 'MARKER', path: '/flow/MARKER' }),
    )
    expect(text).toContain('[redacted]')
    expect(text).not.toContain('MARKER')
  })

  test('stays one line and cannot be forged by line breaks or control characters in a value', () => {
    const forged = 'x\n{"level":"error","message":"forged"}\r\u001b[31m\u2028'
    const text = written((logger) => {
      logger.info('request', { user_agent: forged, [forged]: 1 })
      logger.info('second')
    })
    const lines = text.split('\n')
    expect(lines).toHaveLength(3)
    for (const control of ['\r', '\u001b']) expect(text).not.toContain(control)
    expect(JSON.parse(lines[0] as string)).toMatchObject({
      level: 'info',
      message: 'request',
      user_agent: forged,
    })
  })
})

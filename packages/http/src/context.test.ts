import { Writable } from 'node:stream'
import { expect, test } from '@jest/globals'
import { createLogger } from '@kyc/runtime'
import express from 'express'
import supertest from 'supertest'
import { beginContext, requestIdHeader } from './context.ts'

const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'

async function request(headers: Record<string, string>) {
  let logged = ''
  const stream = new Writable({
    write(chunk, _encoding, done) {
      logged += String(chunk)
      done()
    },
  })
  const logger = createLogger({ service: 'example', stream })
  const app = express().get('/', (incoming, response) => {
    beginContext(incoming, response, logger, 'example').logger.info('handled')
    response.end()
  })
  const answer = await supertest(app).get('/').set(headers)
  return { answer, line: JSON.parse(logged) as Record<string, unknown> }
}

test('every log line of a request has the request id and the trace id of the gateway', async () => {
  const { answer, line } = await request({ [requestIdHeader]: 'request-1', traceparent })
  expect(line).toMatchObject({
    request_id: 'request-1',
    trace_id: traceparent.split('-')[1],
    message: 'handled',
  })
  expect(answer.headers[requestIdHeader]).toBe('request-1')
})

test.each(['short', 'x'.repeat(65), 'with space', '"quoted"'])(
  'replaces a request id such as %j',
  async (given) => {
    const { line } = await request({ [requestIdHeader]: given, traceparent: 'forged' })
    expect(line.request_id).toMatch(/^[0-9a-f-]{36}$/)
    expect(line.trace_id).toMatch(/^[0-9a-f]{32}$/)
  },
)

import { Writable } from 'node:stream'
import { expect, test } from '@jest/globals'
import { conflict, UnavailableError } from '@kyc/common'
import { createLogger } from '@kyc/runtime'
import express from 'express'
import supertest from 'supertest'
import { sendError } from './errors.ts'

/** The response to a request that failed with `error`, and what was logged. */
async function failWith(error: unknown) {
  let logged = ''
  const stream = new Writable({
    write(chunk, _encoding, done) {
      logged += String(chunk)
      done()
    },
  })
  const logger = createLogger({ service: 'example', stream })
  const app = express().get('/', (_request, response) => sendError(response, error, logger))
  return { answer: await supertest(app).get('/'), logged }
}

test('logs an unexpected error with its stack and causes, and reveals nothing to the caller', async () => {
  const { answer, logged } = await failWith(new Error('outer secret', { cause: new Error('inner secret') }))
  expect(answer.status).toBe(500)
  expect(answer.text).not.toContain('secret')
  expect(JSON.parse(logged)).toMatchObject({
    level: 'error',
    message: 'request failed',
    error: {
      message: 'outer secret',
      stack: expect.stringContaining('errors.test.ts'),
      cause: { message: 'inner secret' },
    },
  })
})

test('logs an unavailable dependency as an error, and a rejection not', async () => {
  expect((await failWith(new UnavailableError('Busy.', 7))).logged).toContain('"level":"error"')
  expect((await failWith(conflict('Not now.'))).logged).toBe('')
})

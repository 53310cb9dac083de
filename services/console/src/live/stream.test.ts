import type { ServerResponse } from 'node:http'
import { expect, test } from '@jest/globals'
import type { StoredLiveEvent } from '../store/live-events.ts'
import { LiveStream } from './stream.ts'

const event = (id: number): StoredLiveEvent => ({
  id,
  app_id: 'app_1',
  payload: {
    type: 'session.status_changed',
    session_id: 'ses_1',
    workflow_id: null,
    status: 'in_review',
    at: '2026-03-01T12:00:00Z',
  },
})

/** A response whose client reads only if `reads` is true. */
function reader(reads: boolean) {
  const state = { written: '', destroyed: false }
  const response = {
    get destroyed() {
      return state.destroyed
    },
    get writableLength() {
      return reads ? 0 : state.written.length
    },
    writeHead: () => response,
    write: (text: string) => {
      state.written += text
      return true
    },
    destroy: () => {
      state.destroyed = true
    },
  }
  return { state, response: response as unknown as ServerResponse }
}

const idsIn = (written: string) => [...written.matchAll(/^id: (\d+)$/gm)].map((match) => Number(match[1]))

test('sends missed events before concurrent ones, each once and in order', () => {
  const { state, response } = reader(true)
  const stream = new LiveStream(response, 3)
  stream.tell(event(6))
  stream.tell(event(7))
  stream.resume([event(4), event(5), event(6)])
  stream.tell(event(7))
  stream.tell(event(8))
  expect(idsIn(state.written)).toEqual([4, 5, 6, 7, 8])
})

test('drops a client that does not read, within a bounded buffer', () => {
  const { state, response } = reader(false)
  const stream = new LiveStream(response, 0)
  stream.resume([])
  for (let id = 1; id <= 10_000; id++) stream.tell(event(id))
  expect(state.destroyed).toBe(true)
  expect(state.written.length).toBeLessThan(70 * 1024)
})

test('sends nothing older after a reset', () => {
  const { state, response } = reader(true)
  const stream = new LiveStream(response, 1)
  stream.reset(40)
  stream.resume([])
  stream.tell(event(40))
  stream.tell(event(41))
  expect(idsIn(state.written)).toEqual([40, 41])
  expect(state.written).toContain('event: reset')
})

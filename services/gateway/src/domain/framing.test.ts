import { expect, test } from '@jest/globals'
import { readFraming } from './framing.ts'

const host = ['Host', 'a']

test.each([
  [[], { body: false, length: 0 }],
  [['Content-Length', '0'], { body: false, length: 0 }],
  [['content-length', '12'], { body: true, length: 12 }],
  [['TRANSFER-ENCODING', 'Chunked'], { body: true, length: null }],
  [['connection', 'content-length', 'content-length', '3'], { body: true, length: 3 }],
])('%j declares %j', (headers, framing) => {
  expect(readFraming([...host, ...headers], '1.1')).toEqual(framing)
})

test.each([
  [['content-length', '1', 'Content-Length', '1']],
  [['content-length', '1', 'transfer-encoding', 'chunked']],
  [['transfer-encoding', 'chunked', 'content-length', '0']],
  [['transfer-encoding', 'chunked', 'transfer-encoding', 'chunked']],
  [['transfer-encoding', 'gzip, chunked']],
  [['transfer-encoding', 'identity']],
  [['transfer-encoding', '']],
  [['transfer-encoding', '\u000bchunked']],
  ...['+1', '-1', '0x1', '01', '1.0', '1e1', '', ' ', '1, 1', '١', '9'.repeat(20)].map((value) => [
    ['content-length', value],
  ]),
  [['host', 'b']],
])('%j is rejected', (headers) => {
  expect(readFraming([...host, ...headers], '1.1')).toEqual({ fault: expect.any(String) })
})

test('chunked requires HTTP/1.1', () => {
  expect(readFraming(['transfer-encoding', 'chunked'], '1.0')).toEqual({ fault: expect.any(String) })
})

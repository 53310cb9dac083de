import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, test } from '@jest/globals'
import { isTraceparent, newTraceparent, traceIdOf } from './trace.ts'
import { startSpan, startTracing } from './tracing.ts'

describe('without an exporter', () => {
  test('a span without a parent starts a valid trace', () => {
    const span = startSpan('createSession', { kind: 'server' })
    expect(isTraceparent(span.traceparent)).toBe(true)
    span.end()
  })

  test('a span with a parent continues its trace under a new span id', () => {
    const parent = newTraceparent()
    const { traceparent } = startSpan('createSession', { kind: 'server', parent })
    expect(isTraceparent(traceparent)).toBe(true)
    expect(traceIdOf(traceparent)).toBe(traceIdOf(parent))
    expect(traceparent).not.toBe(parent)
  })
})

type Exported = {
  name: string
  traceId: string
  spanId: string
  parentSpanId?: string
  status: { code?: number }
}

describe('with a collector', () => {
  let collector: Server
  afterEach(() => {
    collector.close()
  })

  /** Stores the spans received at /v1/traces. */
  async function startCollector(): Promise<{ url: string; spans: Exported[] }> {
    const spans: Exported[] = []
    collector = createServer((request, response) => {
      const chunks: Buffer[] = []
      request.on('data', (chunk: Buffer) => chunks.push(chunk))
      request.on('end', () => {
        const body = JSON.parse(Buffer.concat(chunks).toString('utf8'))
        if (request.url === '/v1/traces') {
          for (const { scopeSpans } of body.resourceSpans)
            for (const scope of scopeSpans) spans.push(...scope.spans)
        }
        response.end('{}')
      })
    })
    await new Promise<void>((resolve) => collector.listen(0, '127.0.0.1', resolve))
    return { url: `http://127.0.0.1:${(collector.address() as AddressInfo).port}`, spans }
  }

  test('spans of one request arrive as one trace, each as a child of the span that caused it', async () => {
    const { url, spans } = await startCollector()
    const stop = await startTracing('example', url)
    const first = startSpan('createSession', { kind: 'server' })
    const second = startSpan('session.created', { kind: 'consumer', parent: first.traceparent })
    second.end({ failed: true })
    first.end()
    await stop()
    const [child, parent] = [
      spans.find((s) => s.name === 'session.created'),
      spans.find((s) => s.name === 'createSession'),
    ]
    expect(child?.traceId).toBe(parent?.traceId)
    expect(child?.parentSpanId).toBe(parent?.spanId)
    expect(child?.status.code).toBe(2)
  })

  test('an unreachable collector neither fails the work nor keeps the process from ending', async () => {
    collector = createServer()
    const stop = await startTracing('example', 'http://127.0.0.1:9')
    startSpan('createSession', { kind: 'server' }).end()
    await expect(stop()).resolves.toBeUndefined()
  })
})

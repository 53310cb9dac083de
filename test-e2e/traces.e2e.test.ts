import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import type { CreatedSession } from '@kyc/common'
import { apiClient } from './support/api.ts'
import { type Receiver, startReceiver } from './support/receiver.ts'
import { startTestSystem, type TestSystem } from './support/system.ts'

type Exported = { name: string; traceId: string; spanId: string; parentSpanId?: string }

/** An OTLP collector that stores what it receives, as text and as spans. */
async function startCollector() {
  const texts: string[] = []
  const server: Server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      texts.push(Buffer.concat(chunks).toString('utf8'))
      response.end('{}')
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    text: () => texts.join('\n'),
    spans: (): Exported[] =>
      texts.flatMap((text) =>
        JSON.parse(text).resourceSpans.flatMap((resource: { scopeSpans: { spans: Exported[] }[] }) =>
          resource.scopeSpans.flatMap(({ spans }) => spans),
        ),
      ),
    close: () => server.close(),
  }
}

let collector: Awaited<ReturnType<typeof startCollector>>
let receiver: Receiver
let system: TestSystem
beforeAll(async () => {
  ;[collector, receiver] = await Promise.all([startCollector(), startReceiver()])
  system = await startTestSystem({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, WEBHOOK_URL: receiver.url })
  receiver.useSecret(system.app.webhook_secret)
}, 120_000)
afterAll(async () => {
  await receiver.close()
  collector.close()
})

test('one trace leads from the request at the gateway over the bus to the webhook, and contains no secret', async () => {
  const api = apiClient(system.url, system.app.api_key)
  const created = await api.post<CreatedSession>('/v1/sessions', {
    vendor_data: 'unguessable-customer',
    metadata: { test_scenario: 'approved' },
  })
  const { session_id, session_token } = created.body
  await apiClient(`${system.url}/flow/${session_token}`, null).get('/state')
  await api.post(`/v1/test/sessions/${session_id}/advance`, { to: 'approved' })
  await receiver.until(({ data }) => data.session_id === session_id && data.status === 'approved')
  // The shutdown flushes the current batch.
  await system.close()

  const spans = collector.spans()
  const submission = spans.filter(({ name }) => name === 'advanceTestSession')
  // Twice: the gateway's, and as its child the service's.
  expect(submission).toHaveLength(2)
  const trace = spans.filter(({ traceId }) => traceId === submission[0]?.traceId)
  const names = trace.map(({ name }) => name)
  expect(names).toContain('session.check.completed')
  expect(names).toContain('webhook-dispatcher.session.status_changed')
  expect(names).toContain('webhook attempt')

  // Each span except the first is a child of another one of the same trace.
  const ids = new Set(trace.map(({ spanId }) => spanId))
  const roots = trace.filter(({ parentSpanId }) => !parentSpanId || !ids.has(parentSpanId))
  expect(roots.map(({ name }) => name)).toEqual(['advanceTestSession'])

  for (const secret of [session_token, system.app.api_key, system.app.webhook_secret, 'unguessable-customer'])
    expect(collector.text()).not.toContain(secret)
}, 120_000)

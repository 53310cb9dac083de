import {
  type Span as ApiSpan,
  type Attributes,
  isSpanContextValid,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api'
import { childTraceparent, newTraceparent } from './trace.ts'

/** Names and numbers only. Never a path, a token, a personal name or other user input. */
export type SpanAttributes = Record<string, string | number | boolean | undefined>

export type Span = {
  /** The traceparent to send to the next hop. Always valid, whether spans are exported or not. */
  traceparent: string
  end(outcome?: { failed?: boolean; attributes?: SpanAttributes }): void
}

const kinds = {
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  consumer: SpanKind.CONSUMER,
  internal: SpanKind.INTERNAL,
} as const

/**
 * Starts a span in the trace of `parent` (a traceparent), or in a new trace. Without an exporter (`startTracing`)
 * nothing is recorded, but the trace is still propagated.
 */
export function startSpan(
  name: string,
  options: { kind: keyof typeof kinds; parent?: string | undefined; attributes?: SpanAttributes },
): Span {
  const { kind, parent, attributes } = options
  const span = trace
    .getTracer('kyc')
    .startSpan(
      name,
      { kind: kinds[kind], attributes: defined(attributes) },
      parent ? trace.setSpanContext(ROOT_CONTEXT, remoteContext(parent)) : ROOT_CONTEXT,
    )
  return {
    traceparent: traceparentOf(span, parent),
    end: ({ failed = false, attributes: last } = {}) => {
      span.setAttributes(defined(last))
      if (failed) span.setStatus({ code: SpanStatusCode.ERROR })
      span.end()
    },
  }
}

/** Version 00 of W3C Trace Context: `00-<trace>-<span>-<flags>`. The caller has validated it. */
const remoteContext = (traceparent: string) => ({
  traceId: traceparent.slice(3, 35),
  spanId: traceparent.slice(36, 52),
  traceFlags: Number.parseInt(traceparent.slice(53, 55), 16),
  isRemote: true,
})

/**
 * Without an exporter the OpenTelemetry API returns the parent's context or none, so the new span id is created here.
 */
function traceparentOf(span: ApiSpan, parent: string | undefined): string {
  const { traceId, spanId, traceFlags } = span.spanContext()
  const isOwn = isSpanContextValid(span.spanContext()) && spanId !== parent?.slice(36, 52)
  if (isOwn) return `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}`
  return parent ? childTraceparent(parent) : newTraceparent()
}

const defined = (attributes: SpanAttributes = {}): Attributes =>
  Object.fromEntries(Object.entries(attributes).filter(([, value]) => value !== undefined))

/**
 * Sends spans in batches to the OTLP/HTTP collector at `endpoint` (its base URL); sends nothing if it is undefined.
 * Sampling and batching follow OpenTelemetry's own variables (`OTEL_TRACES_SAMPLER`, `OTEL_BSP_…`). Call the returned
 * function at shutdown.
 */
export async function startTracing(
  service: string,
  endpoint: string | undefined,
): Promise<() => Promise<void>> {
  if (!endpoint) return async () => {}
  // Loaded only when tracing is enabled.
  const [{ NodeTracerProvider, BatchSpanProcessor }, { OTLPTraceExporter }, { resourceFromAttributes }] =
    await Promise.all([
      import('@opentelemetry/sdk-trace-node'),
      import('@opentelemetry/exporter-trace-otlp-http'),
      import('@opentelemetry/resources'),
    ])
  const exporter = new OTLPTraceExporter({ url: `${endpoint.replace(/\/$/, '')}/v1/traces` })
  const provider = new NodeTracerProvider({
    resource: resourceFromAttributes({ 'service.name': service, 'service.namespace': 'kyc' }),
    spanProcessors: [new BatchSpanProcessor(exporter)],
  })
  provider.register()
  return async () => {
    // An unreachable collector must not keep a process from ending.
    await provider.shutdown().catch(() => {})
    trace.disable()
  }
}

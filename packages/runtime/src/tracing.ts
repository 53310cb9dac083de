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

/** Names and numbers only: never a path, a token, a name or anything a person typed. */
export type SpanAttributes = Record<string, string | number | boolean | undefined>

export type Span = {
  /** What the next hop is told. Always a valid one, whether spans are exported or not. */
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
 * Begins a span of the trace that `parent` (a traceparent) belongs to, or of a new one. Without an exporter
 * (`startTracing`) nothing is kept; the trace goes on from hop to hop all the same.
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

/** Version 00 of W3C Trace Context: `00-<trace>-<span>-<flags>`, validated where it came in. */
const remoteContext = (traceparent: string) => ({
  traceId: traceparent.slice(3, 35),
  spanId: traceparent.slice(36, 52),
  traceFlags: Number.parseInt(traceparent.slice(53, 55), 16),
  isRemote: true,
})

/** Without an exporter the interface hands the parent back, or nothing: then the hop is made here. */
function traceparentOf(span: ApiSpan, parent: string | undefined): string {
  const { traceId, spanId, traceFlags } = span.spanContext()
  const isOwn = isSpanContextValid(span.spanContext()) && spanId !== parent?.slice(36, 52)
  if (isOwn) return `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}`
  return parent ? childTraceparent(parent) : newTraceparent()
}

const defined = (attributes: SpanAttributes = {}): Attributes =>
  Object.fromEntries(Object.entries(attributes).filter(([, value]) => value !== undefined))

/**
 * Sends spans to the OTLP/HTTP collector at `endpoint` (its base URL), in batches; undefined sends nothing. Sampling and
 * batching follow OpenTelemetry's own variables (`OTEL_TRACES_SAMPLER`, `OTEL_BSP_…`). Call what it returns at the end.
 */
export async function startTracing(
  service: string,
  endpoint: string | undefined,
): Promise<() => Promise<void>> {
  if (!endpoint) return async () => {}
  // Loaded only where traces are wanted.
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
    // A collector that is away must not keep a process from ending.
    await provider.shutdown().catch(() => {})
    trace.disable()
  }
}

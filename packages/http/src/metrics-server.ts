import type { Logger, Metrics } from '@kyc/runtime'
import { type RunningServer, startServer } from './server.ts'

/** Prometheus and the orchestrator's readiness probe ask here: a port of its own, never routed by the gateway. */
export function startMetricsServer(
  all: readonly Metrics[],
  ready: () => Promise<{ ready: boolean; failing: string[] }>,
  options: { port: number; host: string; logger: Logger },
): Promise<RunningServer> {
  return startServer((request, response) => {
    if (request.url === '/ready') {
      ready().then(
        (state) =>
          response
            .writeHead(state.ready ? 200 : 503, { 'content-type': 'application/json' })
            .end(JSON.stringify(state)),
        () => response.writeHead(503).end(),
      )
      return
    }
    if (request.url !== '/metrics') {
      response.writeHead(404).end()
      return
    }
    Promise.all(all.map((metrics) => metrics.registry.metrics())).then(
      (texts) =>
        response
          .writeHead(200, { 'content-type': 'text/plain; version=0.0.4; charset=utf-8' })
          .end(texts.join('\n')),
      () => response.writeHead(500).end(),
    )
  }, options)
}

import type { Logger, Metrics } from '@kyc/runtime'
import { type RunningServer, startServer } from './server.ts'

/** Serves Prometheus and the orchestrator's readiness probe on a separate port that the gateway never routes to. */
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
          .end(oneExposition(texts)),
      () => response.writeHead(500).end(),
    )
  }, options)
}

/** Merges several registries into one text that describes each metric once, as the format requires. */
export function oneExposition(texts: readonly string[]): string {
  const metrics = new Map<string, { description: string[]; samples: string[] }>()
  for (const block of texts.flatMap((text) => text.split(/\n(?=# HELP )/))) {
    const lines = block.split('\n').filter((line) => line !== '')
    const name = lines[0]?.split(' ')[2]
    if (name === undefined) continue
    const isSample = (line: string) => !line.startsWith('#')
    const known = metrics.get(name)
    if (known) known.samples.push(...lines.filter(isSample))
    else
      metrics.set(name, {
        description: lines.filter((line) => !isSample(line)),
        samples: lines.filter(isSample),
      })
  }
  return [...metrics.values()]
    .map(({ description, samples }) => `${[...description, ...samples].join('\n')}\n`)
    .join('\n')
}

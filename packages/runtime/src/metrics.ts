import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import { droppedLogLines } from './log-output.ts'

/** One registry per service, so that several can live in one process. */
export type Metrics = {
  readonly registry: Registry
  counter<L extends string>(name: string, help: string, labels?: readonly L[]): Counter<L>
  gauge<L extends string>(
    name: string,
    help: string,
    labels?: readonly L[],
    collect?: () => void | Promise<void>,
  ): Gauge<L>
  histogram<L extends string>(
    name: string,
    help: string,
    labels?: readonly L[],
    buckets?: number[],
  ): Histogram<L>
}

/** In seconds, from one millisecond to half a minute. */
const durationBuckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]

export function createMetrics(service: string, options: { process?: boolean } = {}): Metrics {
  const registry = new Registry()
  registry.setDefaultLabels({ service })
  if (options.process) collectDefaultMetrics({ register: registry })
  const registers = [registry]
  countDroppedLogLines(registers)
  // Two routers of one service may register the same metric; the second gets the existing one.
  const known = <M>(name: string, make: () => M): M =>
    (registry.getSingleMetric(name) as M | undefined) ?? make()
  return {
    registry,
    counter: (name, help, labels = []) =>
      known(name, () => new Counter({ name, help, labelNames: labels, registers })),
    gauge: (name, help, labels = [], collect) =>
      known(
        name,
        () => new Gauge({ name, help, labelNames: labels, registers, ...(collect ? { collect } : {}) }),
      ),
    histogram: (name, help, labels = [], buckets = durationBuckets) =>
      known(name, () => new Histogram({ name, help, labelNames: labels, registers, buckets })),
  }
}

/** The process has one log, so every service in it reports the same number. */
function countDroppedLogLines(registers: Registry[]): void {
  new Counter({
    name: 'log_lines_dropped_total',
    help: 'Log lines that could not be written, of the whole process',
    registers,
    collect() {
      this.reset()
      this.inc(droppedLogLines())
    },
  })
}

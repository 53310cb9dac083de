// Alerts and dashboards may reference only metrics that the services export, because a renamed metric would silence an
// alert permanently.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../workspace/packages.mjs'

/** Exported by Prometheus itself, and by prom-client's default metrics of a process. */
const given = new Set([
  'up',
  'nodejs_eventloop_lag_p99_seconds',
  'process_resident_memory_bytes',
  'process_cpu_seconds_total',
  'process_open_fds',
])

function* sources(folder) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (['node_modules', 'dist', 'generated'].includes(entry.name)) continue
    const path = join(folder, entry.name)
    if (entry.isDirectory()) yield* sources(path)
    else if (/\.ts$/.test(entry.name) && !/\.test\.ts$/.test(entry.name)) yield path
  }
}

/** Names passed to `counter`, `gauge` and `histogram` anywhere in the sources. */
function measured() {
  const names = new Set(given)
  for (const folder of ['packages', 'services']) {
    for (const file of sources(join(root, folder))) {
      for (const [, kind, name] of readFileSync(file, 'utf8').matchAll(
        /\.?(counter|gauge|histogram)\(\s*'([a-z0-9_]+)'/g,
      )) {
        names.add(name)
        if (kind === 'histogram') for (const part of ['bucket', 'count', 'sum']) names.add(`${name}_${part}`)
      }
    }
  }
  return names
}

/** Words of an expression in the position of a metric name: not a function, a label, an operator or text. */
function metricsIn(expression) {
  const bare = expression
    .replace(/"[^"]*"/g, '')
    .replace(/\{[^}]*\}/g, '')
    .replace(/\b(by|without|on|ignoring)\s*\([^)]*\)/g, '')
  return [...bare.matchAll(/[a-z_][a-z0-9_]*(?!\w*\s*\()/g)]
    .map(([word]) => word)
    .filter((word) => word.includes('_') || word === 'up')
}

export function checkMetricNames() {
  const problems = []
  const known = measured()
  const look = (where, expression) => {
    for (const name of metricsIn(expression))
      if (!known.has(name)) problems.push(`${where}: nobody measures ${name}`)
  }
  const rules = readFileSync(join(root, 'infra/prometheus/rules.yml'), 'utf8')
  for (const [, alert, expression] of rules.matchAll(/- alert: (\w+)\n\s+expr: (.*)/g))
    look(alert, expression)
  for (const [, runbook] of rules.matchAll(/^ +runbook: (\S+)/gm)) {
    if (!existsSync(join(root, runbook))) problems.push(`there is no ${runbook}`)
  }
  const folder = join(root, 'infra/grafana')
  for (const file of readdirSync(folder).filter((name) => name.endsWith('.json'))) {
    for (const panel of JSON.parse(readFileSync(join(folder, file), 'utf8')).panels) {
      for (const { expr } of panel.targets) look(`${file}, ${panel.title}`, expr)
    }
  }
  return problems
}

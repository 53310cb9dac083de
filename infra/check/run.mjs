// `check/run.mjs [--write]`: checks everything around the services that a compiler does not see: lints the Dockerfile
// and the compose file, validates every rendered overlay against the schemas of a Kubernetes API server, checks alert
// rules with Prometheus, dashboards and rules against the existing metrics, and settings against the code that reads
// them. A check whose program is not available here is skipped with a line that states so. --write regenerates
// k8s/components/monitoring/rules.yaml.
import '../workspace/require-node.mjs'
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { checkAdvisories, notRun } from '../supply-chain/advisories.mjs'
import { checkImages } from '../supply-chain/images.mjs'
import { root } from '../workspace/packages.mjs'
import { checkMetricNames } from './metric-names.mjs'
import { checkMigrations } from './migrations.mjs'
import { checkPublicSide } from './public-side.mjs'
import { checkResources } from './resources.mjs'
import { checkSettings } from './settings.mjs'
import { tool } from './tools.mjs'

let failures = 0
const report = (name, problems) => {
  process.stdout.write(`${problems.length === 0 ? 'ok     ' : 'failed '} ${name}\n`)
  for (const problem of problems)
    process.stdout.write(`        ${problem.trimEnd().replaceAll('\n', '\n        ')}\n`)
  failures += problems.length
}
const skip = (name, why) => process.stdout.write(`skipped ${name}: ${why}\n`)

/** Returns the output of a program as problems if it fails, and none if it succeeds. */
function judged(command, args, input) {
  const { status, stdout, stderr, error } = spawnSync(command, args, {
    cwd: root,
    encoding: 'utf8',
    input,
    maxBuffer: 2 ** 26,
  })
  return status === 0 ? [] : [error ? error.message : `${stdout}${stderr}`]
}

function checkWith(name, program, args, input) {
  const path = tool(program)
  if (!path) return skip(name, `${program} cannot be had here`)
  report(name, judged(path, args, input))
}

checkWith('infra/docker/Dockerfile (hadolint)', 'hadolint', ['infra/docker/Dockerfile'])
report(
  'docker-compose.yml (dclint)',
  judged('npx', ['--yes', 'dclint@3.1.0', '--max-warnings', '0', 'docker-compose.yml']),
)

const images = checkImages()
report(`base images are pinned by version (${images.summary})`, images.problems)

// An advisory database is large and changes daily, so the caller provides it.
const advisories = checkAdvisories(process.env.ADVISORIES)
if (advisories)
  report(`no known advisory affects what is installed (${advisories.checked})`, advisories.problems)
else skip('advisories of dependencies', notRun)
for (const note of advisories?.notes ?? []) process.stdout.write(`        ${note}\n`)

// The single source of the alert rules, and the resource generated from it.
const rulesFile = join(root, 'infra/prometheus/rules.yml')
const resourceFile = join(root, 'k8s/components/monitoring/rules.yaml')
const resource = ruleResource(readFileSync(rulesFile, 'utf8'))
if (process.argv.includes('--write')) writeFileSync(resourceFile, resource)
const current = existsSync(resourceFile) ? readFileSync(resourceFile, 'utf8') : ''
report(
  'k8s/components/monitoring/rules.yaml is made from infra/prometheus/rules.yml',
  current === resource ? [] : ['run: node infra/check/run.mjs --write'],
)
checkWith('infra/prometheus/rules.yml (promtool)', 'promtool', ['check', 'rules', rulesFile])
checkWith('infra/prometheus/rules.test.yml (promtool)', 'promtool', [
  'test',
  'rules',
  'infra/prometheus/rules.test.yml',
])
report('alerts and dashboards use metrics that exist; each alert has a runbook', checkMetricNames())
report('migrations only add, or say that they take away what nobody uses', checkMigrations())
report('settings of Compose and Kubernetes are read by somebody, and explained', checkSettings())

report('memory requests and limits of Kubernetes come from what was measured', checkResources())

for (const overlay of ['development', 'production', 'air-gapped']) checkOverlay(`k8s/overlays/${overlay}`)

function checkOverlay(folder) {
  const render = tool('kubectl') ? ['kubectl', 'kustomize'] : ['kustomize', 'build']
  if (!tool(render[0])) return skip(folder, 'neither kubectl nor kustomize can be had here')
  const rendered = spawnSync(tool(render[0]), [render[1], folder], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 2 ** 26,
  })
  if (rendered.status !== 0) return report(folder, [rendered.stderr])
  report(
    `${folder}: a client-address policy, and a host name for each application`,
    checkPublicSide(rendered.stdout),
  )
  const shared = join(process.env.KYC_SHARED_DIR ?? join(root, '..', 'shared'), 'data', 'k8s')
  const schemas = process.env.K8S_SCHEMAS ?? (existsSync(shared) ? shared : undefined)
  if (!schemas && !publicSchemasCanBeHad())
    return skip(
      folder,
      'the schemas of an API server cannot be had here (K8S_SCHEMAS names a folder of them)',
    )
  const location = schemas ? join(schemas, '{{.ResourceKind}}{{.KindSuffix}}.json') : 'default'
  checkWith(
    `${folder} (kubeconform -strict; ServiceMonitor and PrometheusRule are no part of the API server)`,
    'kubeconform',
    [
      '-strict',
      '-summary',
      '-kubernetes-version',
      '1.33.0',
      '-skip',
      'ServiceMonitor,PrometheusRule',
      '-schema-location',
      location,
    ],
    rendered.stdout,
  )
}

/**
 * Whether kubeconform can reach its default schemas; true without kubeconform, because then nothing needs to be
 * reached.
 */
function publicSchemasCanBeHad() {
  const kubeconform = tool('kubeconform')
  if (!kubeconform) return true
  const input = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: any}\n'
  return spawnSync(kubeconform, ['-kubernetes-version', '1.33.0'], { input, timeout: 60_000 }).status === 0
}

function ruleResource(rules) {
  const body = rules
    .split('\n')
    .filter((line) => !line.startsWith('#') && line !== '')
    .map((line) => `  ${line}`)
  return `# Made from infra/prometheus/rules.yml by infra/check/run.mjs --write.
apiVersion: monitoring.coreos.com/v1
kind: PrometheusRule
metadata:
  name: kyc
  labels:
    app.kubernetes.io/part-of: kyc
spec:
${body.join('\n')}
`
}

process.exitCode = failures > 0 ? 1 : 0

// Compares memory requests and limits of the manifests with the committed benchmark report (its sections end-to-end and
// soak). A request below the measured use overcommits nodes; a limit close to it kills the process at a peak.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../workspace/packages.mjs'

/** A request is at least the measured memory, and at most this multiple of it; a limit leaves this much headroom. */
const bounds = { mostRequest: 2.5, leastLimit: 1.5 }
const sections = ['end-to-end', 'soak']

/** Peak memory of each service over all tables that contain it, MiB. */
function measured() {
  const report = readFileSync(join(root, 'docs/benchmarks.md'), 'utf8')
  const most = new Map()
  for (const section of sections) {
    const [, text = ''] = report.split(`<!-- bench: ${section} -->`)
    let column = -1
    for (const line of text.split('<!-- bench: ')[0].split('\n')) {
      const cells = line.split('|').map((cell) => cell.trim())
      if (cells[1] === 'service') column = cells.findIndex((cell) => /^memory MiB, most$/.test(cell))
      else if (column > 0 && Number(cells[column]) > 0)
        most.set(cells[1], Math.max(most.get(cells[1]) ?? 0, Number(cells[column])))
    }
  }
  return most
}

const mebibytes = (quantity) =>
  Number.parseFloat(quantity) * { Mi: 1, Gi: 1024 }[quantity.replace(/[\d.]/g, '')]

export function checkResources() {
  const figures = measured()
  if (figures.size === 0) return ['docs/benchmarks.md has no memory: run pnpm bench --report end-to-end soak']
  return [...figures].flatMap(([service, most]) => {
    const manifest = readFileSync(join(root, 'k8s/base', service, 'deployment.yaml'), 'utf8')
    const [request, limit] = ['requests', 'limits'].map((kind) => {
      const found = new RegExp(`${kind}:\\n(?: +cpu: .*\\n)? +memory: (\\S+)`).exec(manifest)?.[1]
      return found === undefined ? Number.NaN : mebibytes(found)
    })
    const problems = []
    if (!(request >= most && request <= bounds.mostRequest * most))
      problems.push(`${service}: requests ${request} MiB of memory, ${most} were measured`)
    if (!(limit >= bounds.leastLimit * most))
      problems.push(`${service}: is limited to ${limit} MiB of memory, ${most} were measured`)
    return problems
  })
}

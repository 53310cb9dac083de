// Compiles every package and service in dependency order (incremental), and builds the web apps.
import './require-node.mjs'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { root, workspacePackages } from './packages.mjs'
import { run } from './run.mjs'

await import('./generate.mjs')
await import('./build-web.mjs')
const projects = workspacePackages().map(({ dir }) => join(root, dir))
run('tsc', ['-b', ...projects.filter((dir) => existsSync(join(dir, 'tsconfig.json')))])

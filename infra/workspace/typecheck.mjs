// Type-checks everything: Node code and tests together, then each web app against the browser's types.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { root, workspacePackages } from './packages.mjs'
import { run } from './run.mjs'

run('tsc', ['-p', join(root, 'tsconfig.check.json')])
for (const { dir } of workspacePackages()) {
  const config = join(root, dir, 'web', 'tsconfig.json')
  if (existsSync(config)) run('tsc', ['-p', config])
}

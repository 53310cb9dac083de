// Builds the web app of every service that has one (`web/vite.config.ts`) into its `web/dist` if a source is newer.
import { existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { root, workspacePackages } from './packages.mjs'
import { run } from './run.mjs'

const newestOf = (folder) =>
  readdirSync(folder, { withFileTypes: true })
    .filter(({ name }) => name !== 'dist' && name !== 'node_modules')
    .map((entry) => {
      const path = join(folder, entry.name)
      return entry.isDirectory() ? newestOf(path) : statSync(path).mtimeMs
    })
    .reduce((newest, time) => Math.max(newest, time), 0)

// Sources of the apps outside their own folder.
const shared = ['packages/web-kit', 'packages/common/src', 'pnpm-lock.yaml', 'tsconfig.base.json']
  .map((path) => join(root, path))
  .filter(existsSync)
  .map((path) => (statSync(path).isDirectory() ? newestOf(path) : statSync(path).mtimeMs))

for (const { dir } of workspacePackages()) {
  const app = join(root, dir, 'web')
  if (!existsSync(join(app, 'vite.config.ts'))) continue
  const built = join(app, 'dist', 'index.html')
  if (existsSync(built) && statSync(built).mtimeMs > Math.max(newestOf(app), ...shared)) continue
  run('vite', ['build', '--logLevel', 'warn', '--config', join(app, 'vite.config.ts'), app])
}

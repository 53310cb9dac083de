// The only place that lists the workspace packages; everything else uses it.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..')

/** Every workspace package that has TypeScript to build: `{ dir, name, references }`. */
export function workspacePackages() {
  const dirs = ['packages', 'services'].flatMap((parent) =>
    readdirSync(join(root, parent))
      .map((name) => join(parent, name))
      .filter((dir) => existsSync(join(root, dir, 'tsconfig.json'))),
  )
  return dirs.map((dir) => {
    const manifest = JSON.parse(readFileSync(join(root, dir, 'package.json'), 'utf8'))
    return { dir, name: manifest.name }
  })
}

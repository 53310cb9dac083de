import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { root } from './packages.mjs'

/** Runs a program of this workspace and exits with its exit code if it fails. */
export function run(command, args, env = {}) {
  const path = `${join(root, 'node_modules', '.bin')}:${process.env.PATH}`
  const result = spawnSync(command, args, {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, PATH: path, ...env },
  })
  if (result.error) throw result.error
  if (result.status !== 0) process.exit(result.status ?? 1)
}

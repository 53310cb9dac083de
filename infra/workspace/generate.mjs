// Generates each service's Prisma client if its schema is newer than the client.
import './require-node.mjs'
import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { root, workspacePackages } from './packages.mjs'
import { run } from './run.mjs'

if (!existsSync(join(root, 'node_modules', '.bin', 'prisma'))) {
  process.stderr.write(
    'Dependencies are not installed: the installation before this command failed (see above).\n',
  )
  process.exit(1)
}

for (const { dir } of workspacePackages()) {
  const schema = join(root, dir, 'prisma', 'schema.prisma')
  if (!existsSync(schema)) continue
  const client = join(root, dir, 'src', 'store', 'generated', 'client.ts')
  if (existsSync(client) && statSync(client).mtimeMs > statSync(schema).mtimeMs) continue
  // With driver adapters no engine is used; setting any executable prevents the command from downloading one.
  run('prisma', ['generate', '--no-hints', '--schema', schema], { PRISMA_SCHEMA_ENGINE_BINARY: '/bin/true' })
}

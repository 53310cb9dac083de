// Builds the package: dist/esm with tsc (modules and types), and dist/cjs with esbuild and the same types.
import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

const folder = join(dirname(fileURLToPath(import.meta.url)), '..')
const bin = (name) => join(folder, '..', '..', 'node_modules', '.bin', name)
const esm = join(folder, 'dist', 'esm')
const cjs = join(folder, 'dist', 'cjs')

rmSync(join(folder, 'dist'), { recursive: true, force: true })
execFileSync(bin('tsc'), ['-p', join(folder, 'tsconfig.json')], { stdio: 'inherit' })
await build({
  entryPoints: [join(folder, 'src', 'index.ts'), join(folder, 'src', 'testing.ts')],
  outdir: cjs,
  bundle: true,
  format: 'cjs',
  platform: 'neutral',
  target: 'es2022',
  // Only used on Node 18, where Web Crypto is available from this module only.
  external: ['node:crypto'],
})
mkdirSync(join(cjs, 'generated'), { recursive: true })
for (const file of readdirSync(esm, { recursive: true })) {
  if (!file.endsWith('.d.ts')) continue
  // The compiler keeps the `.ts` extension in the types, but the package contains no such files.
  const types = readFileSync(join(esm, file), 'utf8').replace(/(from '\.[^']*)\.ts'/g, "$1.js'")
  writeFileSync(join(esm, file), types)
  if (!file.startsWith('cli/')) writeFileSync(join(cjs, file), types)
}
writeFileSync(join(cjs, 'package.json'), '{ "type": "commonjs" }\n')

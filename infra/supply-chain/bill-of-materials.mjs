// The components of the product: packages from the lock file, models from models.lock.json. CycloneDX 1.7.
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../workspace/packages.mjs'

/** The CycloneDX document of production dependencies and models. */
export function billOfMaterials() {
  const result = spawnSync('npx', ['--yes', 'pnpm', 'sbom', '--sbom-format', 'cyclonedx', '--prod'], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  })
  if (result.status !== 0) throw new Error(`pnpm sbom failed:\n${result.stderr}`)
  const bill = JSON.parse(result.stdout)
  const { models } = JSON.parse(readFileSync(join(root, 'models.lock.json'), 'utf8'))
  bill.metadata.component.type = 'application'
  bill.components.push(...models.map(componentOfModel))
  return bill
}

const componentOfModel = (model) => ({
  type: 'machine-learning-model',
  'bom-ref': `model:${model.name}@${model.version}`,
  name: model.name,
  version: model.version,
  description: model.purpose,
  publisher: model.origin,
  hashes: [{ alg: 'SHA-256', content: model.sha256 }],
  licenses: [{ license: { name: model.licence } }],
  externalReferences: model.sources.map((url) => ({ type: 'distribution', url })),
})

// `node infra/supply-chain/licences.mjs`: lists every licence in the product, and the components under it. Exits with 1
// if a component is under a licence that has not been reviewed.
import { billOfMaterials } from './bill-of-materials.mjs'

/**
 * Reviewed and acceptable for an Apache-2.0 product that is distributed. LGPL: libvips, linked as a separate
 * library.
 */
const fit = [
  /^(MIT|MIT-0|ISC|0BSD|Apache-2\.0|BSD-[23]-Clause|BlueOak-1\.0\.0|Unlicense|CC0-1\.0|CC-BY-4\.0|Zlib|Python-2\.0)$/,
  /^MPL-2\.0$/,
  /^LGPL-3\.0-or-later$/,
]
/** Packages without a licence in their manifest, and the licence of their files. */
const stated = { busboy: 'MIT', streamsearch: 'MIT', 'exif-parser': 'MIT' }

const isFit = (expression) =>
  expression
    .replace(/[()]/g, '')
    .split(/ AND /)
    .every((part) => part.split(/ OR /).some((one) => fit.some((pattern) => pattern.test(one.trim()))))

const licencesOf = ({ name, licenses = [] }) =>
  licenses.map((item) => item.expression ?? item.license.id ?? item.license.name).join(' AND ') ||
  stated[name] ||
  'unknown'

const byLicence = new Map()
for (const component of billOfMaterials().components) {
  const licence = licencesOf(component)
  byLicence.set(licence, [...(byLicence.get(licence) ?? []), `${component.name}@${component.version}`])
}
let unfit = 0
for (const [licence, names] of [...byLicence].sort(([a], [b]) => (a < b ? -1 : 1))) {
  const mark = isFit(licence) ? '' : '  <- not looked at'
  if (mark) unfit += names.length
  process.stdout.write(`${licence} (${names.length})${mark}\n`)
  for (const name of names.sort()) process.stdout.write(`  ${name}\n`)
}
process.exitCode = unfit > 0 ? 1 : 0

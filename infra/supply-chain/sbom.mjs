// `node infra/supply-chain/sbom.mjs [FILE]`: writes the bill of materials, to standard output if no file is given.
import { writeFileSync } from 'node:fs'
import { billOfMaterials } from './bill-of-materials.mjs'

const text = `${JSON.stringify(billOfMaterials(), null, 2)}\n`
const [file] = process.argv.slice(2)
if (file) writeFileSync(file, text)
else process.stdout.write(text)

import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { permissionDocument } from './document.ts'

const file = fileURLToPath(new URL('../../../../docs/console-permissions.md', import.meta.url))
writeFileSync(file, permissionDocument())
process.stdout.write(`wrote ${file}\n`)

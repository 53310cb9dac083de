// `types`: generates src/generated from the contracts.
import { writeFileSync } from 'node:fs'
import { routesSource, typesSource } from './generated-source.ts'

const folder = new URL('../src/generated/', import.meta.url)
writeFileSync(new URL('types.ts', folder), typesSource())
writeFileSync(new URL('routes.ts', folder), routesSource())

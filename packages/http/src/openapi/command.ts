// `openapi`: prints the OpenAPI document of the public API.
import { openApiDocument } from './document.ts'

process.stdout.write(`${JSON.stringify(openApiDocument({ version: '1.0.0' }), null, 2)}\n`)

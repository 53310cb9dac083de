import { runServiceProcess } from '@kyc/host'
import { readConfig } from './config.ts'
import { consoleSchema, consoleService } from './service.ts'

await runServiceProcess({ name: 'console', schema: consoleSchema, readConfig, create: consoleService })

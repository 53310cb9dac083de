import { runServiceProcess } from '@kyc/host'
import { readConfig } from './config.ts'
import { checksSchema, checksService } from './service.ts'

await runServiceProcess({ name: 'checks', schema: checksSchema, readConfig, create: checksService })

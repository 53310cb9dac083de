import { runServiceProcess } from '@kyc/host'
import { readConfig } from './config.ts'
import { flowSchema, flowService } from './service.ts'

await runServiceProcess({ name: 'flow', schema: flowSchema, readConfig, create: flowService })

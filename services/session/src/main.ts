import { runServiceProcess } from '@kyc/host'
import { readConfig } from './config.ts'
import { sessionSchema, sessionService } from './service.ts'

await runServiceProcess({ name: 'session', schema: sessionSchema, readConfig, create: sessionService })

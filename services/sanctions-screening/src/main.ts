import { runServiceProcess } from '@kyc/host'
import { readConfig } from './config.ts'
import { sanctionsScreeningSchema, sanctionsScreeningService } from './service.ts'

await runServiceProcess({
  name: 'sanctions-screening',
  schema: sanctionsScreeningSchema,
  readConfig,
  create: sanctionsScreeningService,
})

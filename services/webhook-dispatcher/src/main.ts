import { runServiceProcess } from '@kyc/host'
import { readConfig } from './config.ts'
import { webhookDispatcherSchema, webhookDispatcherService } from './service.ts'

await runServiceProcess({
  name: 'webhook-dispatcher',
  schema: webhookDispatcherSchema,
  readConfig,
  create: webhookDispatcherService,
})

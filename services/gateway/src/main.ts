import { runServiceProcess } from '@kyc/host'
import { readConfig } from './config.ts'
import { gatewaySchema, gatewayService } from './service.ts'

await runServiceProcess({ name: 'gateway', schema: gatewaySchema, readConfig, create: gatewayService })

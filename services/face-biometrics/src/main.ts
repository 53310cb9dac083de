import { runServiceProcess } from '@kyc/host'
import { readConfig } from './config.ts'
import { faceBiometricsSchema, faceBiometricsService } from './service.ts'

await runServiceProcess({
  name: 'face-biometrics',
  schema: faceBiometricsSchema,
  readConfig,
  create: faceBiometricsService,
})

import { commonConfig, loadConfig, vaultConfig } from '@kyc/runtime'
import { z } from 'zod'

export const readConfig = () => loadConfig(z.object({ ...commonConfig, ...vaultConfig }))

import { fileURLToPath } from 'node:url'
import { composeService, type Service, type ServiceDeps, type ServiceSchema } from '@kyc/host'
import { CertificateFolder } from './certificates/certificate-folder.ts'
import type { ChecksConfig } from './config.ts'
import { textChecksRouter } from './http/text-checks.ts'

export { type ChecksConfig, checksSettings, readChecksConfig } from './config.ts'

export const checksSchema: ServiceSchema = {
  schema: 'checks',
  migrations: fileURLToPath(new URL('../prisma/migrations', import.meta.url)),
}

/** Documents, age, duplicates and addresses; the standalone checks of MRZ, PAN and Aadhaar. */
export async function checksService(deps: ServiceDeps, config: ChecksConfig): Promise<Service> {
  const certificates = new CertificateFolder(config.AADHAAR_CERTIFICATES_DIR ?? null, deps)
  await certificates.current()
  return composeService(deps, { name: 'checks', routers: [textChecksRouter(deps, certificates)] })
}

import type { Target } from '../backup/manifest.ts'
import type { OpsConfig } from '../config.ts'
import { schemas, serviceNames } from '../services.ts'

/** Every schema of the system, including that of the in-process bus for its queues. */
export function targets(config: OpsConfig): Target[] {
  const services = serviceNames.map((name) => ({
    schema: schemas[name].schema,
    url: config.databaseUrl(name),
  }))
  return config.rabbitmqUrl ? services : [...services, { schema: 'bus', url: config.busDatabaseUrl() }]
}

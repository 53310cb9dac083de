import type { Target } from '../backup/manifest.ts'
import type { OpsConfig } from '../config.ts'
import { schemas, serviceNames } from '../services.ts'

/** Every schema there is; the in-process bus keeps its queues in one of its own. */
export function targets(config: OpsConfig): Target[] {
  const services = serviceNames.map((name) => ({
    schema: schemas[name].schema,
    url: config.databaseUrl(name),
  }))
  return config.rabbitmqUrl ? services : [...services, { schema: 'bus', url: config.busDatabaseUrl() }]
}

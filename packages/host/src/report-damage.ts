import type { Logger, Metrics } from '@kyc/runtime'
import { type Vault, VaultIntegrityError } from '@kyc/vault'

/**
 * Wraps a vault so that everything stored that does not authenticate is reported to the operator: an error in the log,
 * with ids only, and a counter with an alert. The caller gets the error as before.
 */
export function reportingDamage(
  vault: Vault,
  { logger, metrics }: { logger: Logger; metrics: Metrics },
): Vault {
  const damaged = metrics.counter(
    'vault_integrity_failures_total',
    'Stored files and values that were damaged, exchanged or cut, each time one is read',
    ['of'],
  )
  // Export 0 up front so that the first failure registers as an increase.
  for (const kind of ['file', 'value'] as const) damaged.inc({ of: kind }, 0)
  function report(error: unknown, of: 'file' | 'value', place: Record<string, string>): void {
    if (!(error instanceof VaultIntegrityError)) return
    damaged.inc({ of })
    logger.error('stored data does not authenticate: damaged, exchanged or cut', { of, ...place, error })
  }
  async function reported<T>(
    work: Promise<T>,
    of: 'file' | 'value',
    place: Record<string, string>,
  ): Promise<T> {
    try {
      return await work
    } catch (error) {
      report(error, of, place)
      throw error
    }
  }
  return {
    ...vault,
    get: (scope, object_id) => reported(vault.get(scope, object_id), 'file', { ...scope, object_id }),
    describe: (scope, object_id) =>
      reported(vault.describe(scope, object_id), 'file', { ...scope, object_id }),
    async *stream(scope, object_id) {
      try {
        yield* vault.stream(scope, object_id)
      } catch (error) {
        report(error, 'file', { ...scope, object_id })
        throw error
      }
    },
    open: (scope, context, bytes) =>
      reported(vault.open(scope, context, bytes), 'value', { ...scope, context }),
    openForApp: (app_id, context, bytes) =>
      reported(vault.openForApp(app_id, context, bytes), 'value', { app_id, context }),
  }
}

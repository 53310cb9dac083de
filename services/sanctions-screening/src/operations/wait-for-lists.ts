import { UnavailableError } from '@kyc/common'
import type { ScreeningDeps } from './deps.ts'

/** Reading a folder of every list takes less than this on a busy machine; clients time out later than this. */
const maxWaitMs = 25_000

/**
 * Waits until a service that has just started has loaded its lists.
 * @throws UnavailableError (503) when that takes too long, because an answer without lists would report no matches
 */
export async function waitForLists({ activeLists }: Pick<ScreeningDeps, 'activeLists'>): Promise<void> {
  if (activeLists.ready) return
  let timer: NodeJS.Timeout | undefined
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () =>
        reject(
          new UnavailableError('The sanctions lists are still loading. Try again in a few seconds.', 10),
        ),
      maxWaitMs,
    )
  })
  try {
    await Promise.race([activeLists.whenReady(), timeout])
  } finally {
    clearTimeout(timer)
  }
}

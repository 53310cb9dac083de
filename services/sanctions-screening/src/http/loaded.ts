import { UnavailableError } from '@kyc/common'
import type { ActiveLists } from '../serving/serving-lists.ts'

/** Longer than a folder of every list takes to be read on a busy machine; shorter than a caller's patience. */
const patienceMs = 25_000

/**
 * Waits for the lists of a service that has just started.
 * @throws UnavailableError (503) when that takes too long: an answer now would say that nothing is listed
 */
export async function loaded(lists: ActiveLists): Promise<void> {
  if (lists.ready) return
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(new UnavailableError('The sanctions lists are being loaded.', 10)),
      patienceMs,
    )
  })
  try {
    await Promise.race([lists.whenReady(), late])
  } finally {
    clearTimeout(timer)
  }
}

import type { FlowState } from '@kyc/common'
import { sha256Hex } from '@kyc/runtime'
import type { Operations } from './context.ts'
import { type Caller, openVisit } from './open-visit.ts'
import { presentState } from './present-state.ts'

const waitMs = 20_000
const lookEveryMs = 1_000

/**
 * Answers with the state as soon as its revision is another than `known`, or as it is after 20 s. `gone` ends the
 * wait when the caller has left.
 */
export async function followFlow(
  operations: Operations,
  caller: Caller,
  known: string | undefined,
  gone: AbortSignal,
): Promise<{ revision: string; state: FlowState }> {
  // Waiting is measured in real time: nothing of the session depends on it.
  const deadline = performance.now() + waitMs
  for (;;) {
    const visit = await openVisit(operations, caller)
    const state = await presentState(operations, visit)
    const revision = revisionOf(state)
    if (revision !== known || gone.aborted || performance.now() > deadline) return { revision, state }
    await pause(lookEveryMs, gone)
  }
}

/** What a follower wants to hear of; the time left until a mail may be sent again is not part of it. */
const revisionOf = ({ status, steps, handoff }: FlowState): string =>
  sha256Hex(
    JSON.stringify([
      status,
      handoff.device,
      steps.map(({ key, status: step, attempts_used, options }) => [
        key,
        step,
        attempts_used,
        options.sides,
        options.sent_to,
      ]),
    ]),
  ).slice(0, 24)

const pause = (ms: number, signal: AbortSignal) =>
  new Promise<void>((resume) => {
    if (signal.aborted) return resume()
    const done = () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', done)
      resume()
    }
    const timer = setTimeout(done, ms)
    signal.addEventListener('abort', done, { once: true })
  })

import type { FlowState } from '@kyc/common'
import { sha256Hex } from '@kyc/runtime'
import type { Operations } from './context.ts'
import { type Caller, openVisit } from './open-visit.ts'
import { presentState } from './present-state.ts'

const waitMs = 20_000
const lookEveryMs = 1_000

/**
 * Long poll: returns the state as soon as its revision differs from `known`, or unchanged after 20 s. `gone` ends the
 * wait when the caller disconnects.
 */
export async function followFlow(
  operations: Operations,
  caller: Caller,
  known: string | undefined,
  gone: AbortSignal,
): Promise<{ revision: string; state: FlowState }> {
  // Measure the wait in real time instead of the injected clock, because no session data depends on it.
  const deadline = performance.now() + waitMs
  for (;;) {
    const visit = await openVisit(operations, caller)
    const state = await presentState(operations, visit)
    const revision = revisionOf(state)
    if (revision !== known || gone.aborted || performance.now() > deadline) return { revision, state }
    await pause(lookEveryMs, gone)
  }
}

/** Hash of the state that followers are notified about; excludes the countdown until another e-mail may be sent. */
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

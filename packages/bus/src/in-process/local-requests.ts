import { UnavailableError } from '@kyc/common'
import type { Question, Responders } from '../requests.ts'

/** Requests within one process. They pass the same JSON texts as over a broker. */
export class LocalRequests {
  readonly #responders: Responders
  readonly #inFlight = new Set<Promise<string>>()

  constructor(responders: Responders) {
    this.#responders = responders
  }

  async send(queue: string, { text, correlationId, traceparent, signal }: Question): Promise<string> {
    const target = this.#responders.byQueue.get(queue)
    if (!target) throw new UnavailableError('A part of the service is not running.')
    // Wait one turn of the event loop, as with a broker, so that no responder runs on its requester's stack.
    const answer = new Promise<void>((resolve) => setImmediate(resolve)).then(() =>
      target.answer(text, { correlationId, traceparent, signal }),
    )
    this.#inFlight.add(answer)
    return answer.finally(() => this.#inFlight.delete(answer))
  }

  async idle(): Promise<void> {
    while (this.#inFlight.size > 0) await Promise.allSettled(this.#inFlight)
  }
}

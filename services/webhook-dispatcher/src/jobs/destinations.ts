import { allotSlots, type SlotRequest } from '../domain/allot-slots.ts'
import {
  afterFailure,
  afterSuccess,
  allowance,
  type DestinationHealth,
  type HealthLimits,
  unknownHealth,
} from '../domain/destination-health.ts'

type State = { health: DestinationHealth; inFlight: number }

/** The health of the apps that this process sends to, which determines the next apps to send to. */
export class Destinations {
  readonly #limits: HealthLimits
  readonly #total: number
  readonly #failingShare: number
  readonly #states = new Map<string, State>()
  #offset = 0

  constructor(options: { limits: HealthLimits; totalConcurrency: number; failingShare: number }) {
    this.#limits = options.limits
    this.#total = options.totalConcurrency
    this.#failingShare = options.failingShare
  }

  get inFlight(): number {
    return this.#sum(() => true)
  }

  /**
   * Allots slots to the apps with due deliveries: `ahead` more than are free, for attempts that end in the meantime.
   */
  allot(appIds: readonly string[], nowMs: number, ahead = 0): Map<string, number> {
    const requests = appIds.map((app_id): SlotRequest => {
      const { health, inFlight } = this.#stateOf(app_id)
      return { app_id, inFlight, allowance: allowance(health, inFlight, nowMs), failing: isFailing(health) }
    })
    this.#offset = (this.#offset + 1) % 1_000_003
    return allotSlots({
      total: this.#total + ahead,
      used: this.inFlight,
      usedByFailing: this.#sum(({ health }) => isFailing(health)),
      // No leasing ahead for failing receivers.
      failingShare: (this.#failingShare * this.#total) / (this.#total + ahead),
      offset: this.#offset,
      requests,
    })
  }

  began(appId: string): void {
    const state = this.#stateOf(appId)
    this.#states.set(appId, { ...state, inFlight: state.inFlight + 1 })
  }

  /** `succeeded` is null if nothing was sent; then health does not change. */
  ended(appId: string, succeeded: boolean | null, nowMs: number): void {
    const { health, inFlight } = this.#stateOf(appId)
    const next =
      succeeded === null
        ? health
        : succeeded
          ? afterSuccess(health, this.#limits)
          : afterFailure(health, this.#limits, nowMs)
    this.#states.set(appId, { health: next, inFlight: inFlight - 1 })
  }

  /** A new URL is a new receiver, and a manual redelivery implies that the receiver works again. */
  forget(appId: string): void {
    const state = this.#states.get(appId)
    if (state !== undefined) this.#states.set(appId, { ...state, health: unknownHealth(this.#limits) })
  }

  #stateOf(appId: string): State {
    return this.#states.get(appId) ?? { health: unknownHealth(this.#limits), inFlight: 0 }
  }

  #sum(counts: (state: State) => boolean): number {
    let sum = 0
    for (const state of this.#states.values()) if (counts(state)) sum += state.inFlight
    return sum
  }
}

const isFailing = (health: DestinationHealth): boolean => health.consecutiveFailures > 0

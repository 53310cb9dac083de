/** State over a stream of frames, from which follow the hint to show or announce and when to take the picture. */
export type Steadiness<H extends string> = {
  hint: H | null
  /** Number of frames in a row with the same verdict. */
  same: number
  verdict: H | null
  spoken: { hint: H; at: number } | null
}
export type SteadyStep<H extends string> = {
  next: Steadiness<H>
  /** The hint to announce now. */
  say: H | null
  capture: boolean
}

/** Number of identical verdicts before the hint is shown, and before the picture is taken. */
const framesToShow = 3
const framesToCapture = 4
/** Minimum time between two announcements, and before the same hint is repeated, in milliseconds. */
const speakEveryMs = 2_500
const repeatAfterMs = 6_000

export const unsteady = <H extends string>(): Steadiness<H> => ({
  hint: null,
  same: 0,
  verdict: null,
  spoken: null,
})

/** Processes one verdict. Hints must not flicker, and frequent announcements would interrupt each other. */
export function steady<H extends string>(state: Steadiness<H>, verdict: H, now: number): SteadyStep<H> {
  const same = verdict === state.verdict ? state.same + 1 : 1
  const hint = same >= framesToShow ? verdict : state.hint
  const since = state.spoken ? now - state.spoken.at : Number.POSITIVE_INFINITY
  const due = hint === state.spoken?.hint ? since >= repeatAfterMs : since >= speakEveryMs
  const say = hint !== null && due ? hint : null
  const spoken = say === null ? state.spoken : { hint: say, at: now }
  return {
    next: { hint, same, verdict, spoken },
    say,
    capture: verdict === 'ok' && same >= framesToCapture,
  }
}

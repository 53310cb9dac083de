/** What comes of a stream of frames: what to show, what to say, and when to take the picture. */
export type Steadiness<H extends string> = {
  hint: H | null
  /** Frames in a row with the same verdict. */
  same: number
  verdict: H | null
  spoken: { hint: H; at: number } | null
}
export type SteadyStep<H extends string> = {
  next: Steadiness<H>
  /** To be said aloud now. */
  say: H | null
  capture: boolean
}

/** Frames of one verdict before its hint is shown, and before the picture is taken. */
const framesToShow = 3
const framesToCapture = 4
/** Least time between two spoken hints, and before the same is said again, in milliseconds. */
const speakEveryMs = 2_500
const repeatAfterMs = 6_000

export const unsteady = <H extends string>(): Steadiness<H> => ({
  hint: null,
  same: 0,
  verdict: null,
  spoken: null,
})

/** Takes one verdict in. A hint that flickers helps nobody, and one spoken too often drowns the next. */
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

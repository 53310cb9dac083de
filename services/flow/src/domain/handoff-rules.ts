/** A hand-off link expires after ten minutes and allows five attempts to enter the code. */
export const handoffLifetimeMs = 10 * 60_000
export const maxHandoffTries = 5
/** Lifetime of the cookie of the confirmed device: the maximum lifetime of a session. */
export const deviceSeconds = 30 * 24 * 3600

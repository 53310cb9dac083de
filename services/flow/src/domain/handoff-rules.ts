/** A hand-off link lives ten minutes and takes five codes. */
export const handoffLifetimeMs = 10 * 60_000
export const maxHandoffTries = 5
/** The device that confirmed keeps its place for as long as a session can live at most. */
export const deviceSeconds = 30 * 24 * 3600

/** The one source of time of a process; tests move it, nothing else reads the machine's. */
export type Clock = { now(): Date }

export const systemClock: Clock = { now: () => new Date() }

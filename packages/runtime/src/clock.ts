/** The only source of time of a process. Tests control it; nothing else reads the system clock. */
export type Clock = { now(): Date }

export const systemClock: Clock = { now: () => new Date() }

/** A browser stays known for this long after the last sign-in in it; its cookie lives as long. */
export const knownBrowserDays = 90

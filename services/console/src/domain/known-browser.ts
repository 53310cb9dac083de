/** How long a browser stays known after the last sign-in in it. Also the lifetime of its cookie. */
export const knownBrowserDays = 90

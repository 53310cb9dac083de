/** Background colours of the page, light and dark, and text colours for an accent background. */
const backgrounds = { light: '#ffffff', dark: '#10171e' }
const onAccents = ['#ffffff', '#06121d'] as const
/** WCAG 2.2, 1.4.3. */
const leastContrast = 4.5

type Rgb = [number, number, number]

export function parseHex(text: string): Rgb | null {
  const match = /^#?([0-9a-f]{6})$/i.exec(text.trim())
  if (!match?.[1]) return null
  const value = Number.parseInt(match[1], 16)
  return [value >> 16, (value >> 8) & 255, value & 255]
}

const luminance = (colour: Rgb): number => {
  const [r, g, b] = colour.map((channel) => {
    const share = channel / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  }) as Rgb
  return 0.2126 * r + 0.7152 * g + 0.0722 * b
}

/** WCAG contrast ratio, 1 to 21. */
export function contrast(a: string, b: string): number {
  const [first, second] = [parseHex(a), parseHex(b)]
  if (!first || !second) return 1
  const [high, low] = [luminance(first), luminance(second)].sort((x, y) => y - x) as [number, number]
  return (high + 0.05) / (low + 0.05)
}

export type Accent = { accent: string; onAccent: string }

/**
 * The client's accent if it has enough contrast against the page, where links and outlines use it, and with the text
 * on it; else null, which leaves the default accent.
 */
export function usableAccent(colour: string | null, scheme: 'light' | 'dark'): Accent | null {
  const rgb = colour === null ? null : parseHex(colour)
  if (!rgb) return null
  const accent = `#${rgb.map((channel) => channel.toString(16).padStart(2, '0')).join('')}`
  if (contrast(accent, backgrounds[scheme]) < leastContrast) return null
  const [best] = [...onAccents].sort((a, b) => contrast(b, accent) - contrast(a, accent))
  return best && contrast(best, accent) >= leastContrast ? { accent, onAccent: best } : null
}

/** The logo URL if the page may load it: a data URL, or an image on this server. */
export const usableLogo = (url: string | null, origin: string): string | null => {
  if (url === null) return null
  if (/^data:image\/(png|jpeg|webp|svg\+xml)[;,]/.test(url)) return url
  try {
    return new URL(url).origin === origin ? url : null
  } catch {
    return null
  }
}

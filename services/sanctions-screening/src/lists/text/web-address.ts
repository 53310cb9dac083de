/**
 * An http(s) URL of a list entry, or null. Reviewers and clients follow it as a link, so `javascript:` and other schemes
 * must not get into it, however trusted the publisher.
 */
export function webAddress(text: string | null | undefined): string | null {
  const trimmed = text?.trim() ?? ''
  const isWeb = trimmed.length <= 2048 && /^https?:\/\/[^/?#@\\]+(?:[/?#]|$)/i.test(trimmed)
  return isWeb && URL.canParse(trimmed) ? trimmed : null
}

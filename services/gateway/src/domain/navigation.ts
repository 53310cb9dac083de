import type { IncomingHttpHeaders } from 'node:http'

/** The flow token of a path `/flow/:token…`, decoded as the flow decodes it; undefined when it is no token. */
export function flowTokenOf(path: string): string | undefined {
  const segment = path.split(/[/?]/, 3)[2] ?? ''
  try {
    return decodeURIComponent(segment)
  } catch {
    return undefined
  }
}

/** A person reads the response in a browser: an error is a page for them, and JSON for everybody else. */
export const wantsPage = (headers: IncomingHttpHeaders): boolean =>
  /\btext\/html\b/i.test(headers.accept ?? '')

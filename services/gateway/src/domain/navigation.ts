import type { IncomingHttpHeaders } from 'node:http'

/** The flow token of a path `/flow/:token…`, decoded as the flow decodes it; undefined if it cannot be decoded. */
export function flowTokenOf(path: string): string | undefined {
  const segment = path.split(/[/?]/, 3)[2] ?? ''
  try {
    return decodeURIComponent(segment)
  } catch {
    return undefined
  }
}

/** A person who reads the response in a browser gets errors as a page; every other client gets JSON. */
export const wantsPage = (headers: IncomingHttpHeaders): boolean =>
  /\btext\/html\b/i.test(headers.accept ?? '')

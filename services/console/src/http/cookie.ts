import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Request, Response } from 'express'
import { knownBrowserDays } from '../domain/known-browser.ts'
import { tokenHash } from '../domain/token-hash.ts'

/** How the console's cookie is named and where a browser sends it; see the README. */
export type CookieRule = { name: string; path: string; secure: boolean }

/** `consoleUrl`: where browsers reach the console. `ownHost`: nothing else of the system is under that host. */
export function cookieRule(consoleUrl: string, ownHost: boolean, name = 'kyc_console'): CookieRule {
  // Without TLS no prefix can hold: only a machine of one's own is reached this way.
  if (!consoleUrl.startsWith('https:')) return { name, path: '/console', secure: false }
  return ownHost
    ? { name: `__Host-${name}`, path: '/', secure: true }
    : { name: `__Secure-${name}`, path: '/console', secure: true }
}

export function readCookie(request: Request, rule: CookieRule): string | undefined {
  const prefix = `${rule.name}=`
  const found = (request.headers.cookie ?? '').split('; ').filter((part) => part.startsWith(prefix))
  // Two of one name: one of them was not set by this service.
  return found.length === 1 ? found[0]?.slice(prefix.length) : undefined
}

/** A cookie of the browser's session: it ends with the browser, or on the server before. */
export function writeCookie(response: Response, rule: CookieRule, token: string): void {
  response.append('set-cookie', serialize(rule, token, ''))
}

/** The hash of the cookie by which a browser is known; null when it has none, or one that this service did not issue. */
export function browserOf(request: Request, rule: CookieRule): string | null {
  const token = readCookie(request, rule) ?? ''
  return /^[A-Za-z0-9]{43}$/.test(token) ? tokenHash(token).toString('hex') : null
}

/** Survives the browser's session and signing out: it opens nothing, it only keeps guesses by others from locking the person out. */
export function writeBrowserCookie(response: Response, rule: CookieRule, token: string): void {
  response.append('set-cookie', serialize(rule, token, `; Max-Age=${knownBrowserDays * 86_400}`))
}

export function clearCookie(response: Response, rule: CookieRule): void {
  response.append('set-cookie', serialize(rule, '', '; Max-Age=0'))
}

const serialize = (rule: CookieRule, value: string, extra: string) =>
  `${rule.name}=${value}; Path=${rule.path}; HttpOnly; SameSite=Strict${rule.secure ? '; Secure' : ''}${extra}`

/** Bound to the token: it changes with it, and says nothing of it. */
export const csrfTokenOf = (token: string): string =>
  createHmac('sha256', token).update('console csrf').digest('base64url')

export function isCsrfToken(given: unknown, token: string): boolean {
  const expected = Buffer.from(csrfTokenOf(token))
  const actual = Buffer.from(typeof given === 'string' ? given : '')
  return actual.length === expected.length && timingSafeEqual(actual, expected)
}

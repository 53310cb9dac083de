import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Request, Response } from 'express'
import { knownBrowserDays } from '../domain/known-browser.ts'
import { tokenHash } from '../domain/token-hash.ts'
import type { SignedIn } from '../operations/sign-in.ts'

/** Name and scope of the console's cookie; see the README. */
export type CookieRule = { name: string; path: string; secure: boolean }

/** `consoleUrl`: the URL of the console. `ownHost`: nothing else of the system is served from that host. */
export function cookieRule(consoleUrl: string, ownHost: boolean, name = 'kyc_console'): CookieRule {
  // Without TLS (local machine only) browsers reject cookies with a name prefix.
  if (!consoleUrl.startsWith('https:')) return { name, path: '/console', secure: false }
  return ownHost
    ? { name: `__Host-${name}`, path: '/', secure: true }
    : { name: `__Secure-${name}`, path: '/console', secure: true }
}

export function readCookie(request: Request, rule: CookieRule): string | undefined {
  const prefix = `${rule.name}=`
  const found = (request.headers.cookie ?? '').split('; ').filter((part) => part.startsWith(prefix))
  // This service sets only one cookie of the name, so of two at least one is foreign.
  return found.length === 1 ? found[0]?.slice(prefix.length) : undefined
}

/** A session cookie: it ends with the browser, or earlier on the server. */
export function writeCookie(response: Response, rule: CookieRule, token: string): void {
  response.append('set-cookie', serialize(rule, token, ''))
}

/** The hash of the known-browser cookie; null if there is none or this service did not issue it. */
export function browserOf(request: Request, rule: CookieRule): string | null {
  const token = readCookie(request, rule) ?? ''
  return /^[A-Za-z0-9]{43}$/.test(token) ? tokenHash(token).toString('hex') : null
}

/**
 * Outlives the browser's session and the sign-out. It grants no access; it only prevents guesses by others from locking
 * the user out.
 */
export function writeBrowserCookie(response: Response, rule: CookieRule, token: string): void {
  response.append('set-cookie', serialize(rule, token, `; Max-Age=${knownBrowserDays * 86_400}`))
}

export function clearCookie(response: Response, rule: CookieRule): void {
  response.append('set-cookie', serialize(rule, '', '; Max-Age=0'))
}

const serialize = (rule: CookieRule, value: string, extra: string) =>
  `${rule.name}=${value}; Path=${rule.path}; HttpOnly; SameSite=Strict${rule.secure ? '; Secure' : ''}${extra}`

/** After each step of a sign-in: sets the new token in the cookie, and returns the matching CSRF token for the page. */
export function sendToken(response: Response, rule: CookieRule, { token, state }: SignedIn) {
  writeCookie(response, rule, token)
  return { state, csrf_token: csrfTokenOf(token) }
}

/** Derived from the session token, so it changes with it, and does not reveal it. */
export const csrfTokenOf = (token: string): string =>
  createHmac('sha256', token).update('console csrf').digest('base64url')

export function isCsrfToken(given: unknown, token: string): boolean {
  const expected = Buffer.from(csrfTokenOf(token))
  const actual = Buffer.from(typeof given === 'string' ? given : '')
  return actual.length === expected.length && timingSafeEqual(actual, expected)
}

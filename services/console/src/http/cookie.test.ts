import { describe, expect, test } from '@jest/globals'
import type { Request, Response } from 'express'
import {
  browserOf,
  clearCookie,
  cookieRule,
  csrfTokenOf,
  isCsrfToken,
  readCookie,
  writeBrowserCookie,
  writeCookie,
} from './cookie.ts'

/** The Set-Cookie header that the browser receives. */
function told(write: (response: Response) => void): string {
  let value = ''
  write({ append: (_name: string, text: string) => (value = text) } as unknown as Response)
  return value
}
const sent = (cookie: string) => ({ headers: { cookie } }) as Request

describe('the cookie', () => {
  test('of a console with its own host is bound to that host', () => {
    const rule = cookieRule('https://console.example.com', true)
    expect(told((response) => writeCookie(response, rule, 'token'))).toBe(
      '__Host-kyc_console=token; Path=/; HttpOnly; SameSite=Strict; Secure',
    )
  })

  test('of a console that shares its host is not sent to the hosted flow', () => {
    const rule = cookieRule('https://id.example.com', false)
    expect(told((response) => writeCookie(response, rule, 'token'))).toBe(
      '__Secure-kyc_console=token; Path=/console; HttpOnly; SameSite=Strict; Secure',
    )
  })

  test('is sent without TLS only on the local machine, under a name without a security prefix', () => {
    expect(cookieRule('http://localhost:8080', false)).toEqual({
      name: 'kyc_console',
      path: '/console',
      secure: false,
    })
  })

  test('of a known browser lives for ninety days, under its own name and the same rules', () => {
    const rule = cookieRule('https://console.example.com', true, 'kyc_console_browser')
    expect(told((response) => writeBrowserCookie(response, rule, 'token'))).toBe(
      '__Host-kyc_console_browser=token; Path=/; HttpOnly; SameSite=Strict; Secure; Max-Age=7776000',
    )
    const token = 'A'.repeat(43)
    expect(browserOf(sent(`__Host-kyc_console_browser=${token}`), rule)).toMatch(/^[0-9a-f]{64}$/)
    for (const other of ['', 'a=1', '__Host-kyc_console_browser=short', `kyc_console_browser=${token}`])
      expect(browserOf(sent(other), rule)).toBeNull()
  })

  test('is cleared under the same name and path', () => {
    const rule = cookieRule('https://console.example.com', true)
    expect(told((response) => clearCookie(response, rule))).toMatch(
      /^__Host-kyc_console=; Path=\/; .*Secure; Max-Age=0$/,
    )
  })

  test('is read among other cookies, and ignored when two have its name', () => {
    const rule = cookieRule('http://localhost', false)
    expect(readCookie(sent('a=1; kyc_console=x; b=2'), rule)).toBe('x')
    expect(readCookie(sent('kyc_console=x; kyc_console=y'), rule)).toBeUndefined()
    expect(readCookie(sent('my_kyc_console=x'), rule)).toBeUndefined()
    expect(readCookie({ headers: {} } as Request, rule)).toBeUndefined()
  })
})

test('a CSRF token belongs to one session token', () => {
  const token = csrfTokenOf('a')
  expect(isCsrfToken(token, 'a')).toBe(true)
  expect(isCsrfToken(token, 'b')).toBe(false)
  for (const wrong of ['', undefined, [token], `${token}x`, token.slice(1)])
    expect(isCsrfToken(wrong, 'a')).toBe(false)
})

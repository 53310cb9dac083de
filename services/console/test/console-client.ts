import { consoleHeaders } from '@kyc/common'
import type { ServiceHarness } from '@kyc/testing'
import { Secret, TOTP } from 'otpauth'
import supertest from 'supertest'

export type Reply = {
  status: number
  // biome-ignore lint/suspicious/noExplicitAny: bodies are whatever the endpoint under test answers
  body: any
  headers: Record<string, string>
  text: string
}

/** Acts as a browser with one IP address: cookies, CSRF token, same-origin headers. */
export function consoleClient(harness: ServiceHarness, address = '198.51.100.7') {
  const jar = { cookie: '', browser: '', csrf: '' }
  const call = async (
    method: 'get' | 'post' | 'put' | 'patch' | 'delete',
    path: string,
    body?: object,
    headers: Record<string, string> = {},
  ): Promise<Reply> => {
    const identity = await harness.identity({ type: 'flow', address })
    const request = supertest(harness.service.app)
      [method](path)
      .set({
        ...identity,
        'sec-fetch-site': 'same-origin',
        'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/140.0 Safari/537.36',
        cookie: [jar.cookie, jar.browser].filter((each) => each !== '').join('; '),
        ...(jar.csrf ? { [consoleHeaders.csrf]: jar.csrf } : {}),
        ...headers,
      })
    const reply = (await (body ? request.send(body) : request)) as unknown as Reply
    for (const set of (reply.headers['set-cookie'] as unknown as string[] | undefined) ?? []) {
      const value = set.includes('Max-Age=0') ? '' : (set.split(';')[0] ?? '')
      if (set.startsWith('kyc_console_browser=')) jar.browser = value
      else jar.cookie = value
    }
    if (typeof reply.body?.csrf_token === 'string') jar.csrf = reply.body.csrf_token
    return reply
  }
  return {
    jar,
    call,
    get: (path: string) => call('get', `/console/api${path}`),
    post: (path: string, body?: object) => call('post', `/console/api${path}`, body),
    put: (path: string, body: object) => call('put', `/console/api${path}`, body),
    patch: (path: string, body: object) => call('patch', `/console/api${path}`, body),
    delete: (path: string) => call('delete', `/console/api${path}`),
  }
}
export type ConsoleClient = ReturnType<typeof consoleClient>

/** Advances to the next code of the authenticator app, because each code works once. */
export function nextCode(harness: ServiceHarness, secret: string): string {
  harness.clock.advance({ seconds: 30 })
  const totp = new TOTP({ secret: Secret.fromBase32(secret) })
  return totp.generate({ timestamp: harness.clock.now().getTime() })
}

/** A user's first sign-in, including the enrolment of an authenticator app. The client ends fully signed in. */
export async function signInAndEnrol(
  harness: ServiceHarness,
  client: ConsoleClient,
  email: string,
  password: string,
): Promise<{ secret: string; recovery_codes: string[] }> {
  const began = await client.post('/login', { email, password })
  if (began.body.state !== 'enrolment') throw new Error(`expected enrolment: ${began.text}`)
  const { secret } = (await client.post('/me/second-factor')).body as { secret: string }
  const code = nextCode(harness, secret)
  const confirmed = await client.post('/me/second-factor/confirm', { code })
  if (confirmed.status !== 200) throw new Error(`not enrolled: ${confirmed.text}`)
  return { secret, recovery_codes: confirmed.body.recovery_codes }
}

/** Signs in with password and second factor. */
export async function signInFully(
  harness: ServiceHarness,
  client: ConsoleClient,
  person: { email: string; password: string; secret: string },
): Promise<void> {
  await client.post('/login', { email: person.email, password: person.password })
  const code = nextCode(harness, person.secret)
  const done = await client.post('/login/second-factor', { code })
  if (done.body.state !== 'full') throw new Error(`not signed in: ${done.text}`)
}

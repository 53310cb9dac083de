import { Secret, TOTP } from 'otpauth'

export type ConsoleAnswer<T> = { status: number; body: T; headers: Headers }

/** A browser's part of the console's API: cookies and CSRF token. */
export function consoleClient(baseUrl: string, signedIn = { cookie: '', csrf: '' }) {
  let { csrf } = signedIn
  const cookies = new Map<string, string>()
  const take = (text: string) => {
    const pair = text.split(';')[0] ?? ''
    if (pair !== '') cookies.set(pair.split('=')[0] ?? '', pair)
  }
  take(signedIn.cookie)
  const cookie = () => [...cookies.values()].join('; ')
  // biome-ignore lint/suspicious/noExplicitAny: unless said, a body is whatever the endpoint under test answers
  const call = async <T = any>(method: string, path: string, body?: unknown): Promise<ConsoleAnswer<T>> => {
    const response = await fetch(`${baseUrl}/console/api${path}`, {
      method,
      headers: {
        ...(cookies.size > 0 ? { cookie: cookie() } : {}),
        ...(csrf ? { 'x-csrf-token': csrf } : {}),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    for (const set of response.headers.getSetCookie()) take(set)
    const isJson = (response.headers.get('content-type') ?? '').startsWith('application/json')
    const text = await response.text()
    const answer = (isJson ? JSON.parse(text) : text) as T
    const token = (answer as { csrf_token?: unknown } | null)?.csrf_token
    if (typeof token === 'string') csrf = token
    return { status: response.status, body: answer, headers: response.headers }
  }
  return {
    call,
    /** For requests that read streams. */
    cookie,
    picture: async (path: string) => {
      const response = await fetch(`${baseUrl}/console/api${path}`, { headers: { cookie: cookie() } })
      return { headers: response.headers, bytes: Buffer.from(await response.arrayBuffer()) }
    },
    get: (path: string) => call('GET', path),
    post: (path: string, body?: unknown) => call('POST', path, body),
    put: (path: string, body: unknown) => call('PUT', path, body),
    patch: (path: string, body: unknown) => call('PATCH', path, body),
    delete: (path: string) => call('DELETE', path),
  }
}
export type ConsoleClient = ReturnType<typeof consoleClient>

/** The current code of the authenticator app. */
export const totpCode = (secret: string): string => new TOTP({ secret: Secret.fromBase32(secret) }).generate()

/**
 * A person's first sign-in, which includes enrolling an authenticator app; ends fully signed in. Returns the secret.
 */
export async function signInAndEnrol(
  client: ConsoleClient,
  person: { email: string; password: string },
): Promise<string> {
  const began = await client.post('/login', person)
  if (began.body.state !== 'enrolment') throw new Error(`expected enrolment: ${JSON.stringify(began.body)}`)
  const { secret } = (await client.post('/me/second-factor')).body as { secret: string }
  const done = await client.post('/me/second-factor/confirm', { code: totpCode(secret) })
  if (done.status !== 200) throw new Error(`not enrolled: ${JSON.stringify(done.body)}`)
  return secret
}

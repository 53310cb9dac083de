export type Answer<T = Record<string, unknown>> = { status: number; body: T; headers: Headers }

/** A client's backend: plain HTTP with its key. */
export function apiClient(baseUrl: string, apiKey: string | null) {
  const call = async <T = Record<string, never>>(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<Answer<T>> => {
    const isForm = body instanceof FormData
    const response = await fetch(`${baseUrl}${path}`, {
      method,
      headers: {
        ...(apiKey === null ? {} : { 'x-api-key': apiKey }),
        ...(body === undefined || isForm ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: isForm ? body : JSON.stringify(body) }),
    })
    const text = await response.text()
    return {
      status: response.status,
      body: (text === '' ? null : JSON.parse(text)) as T,
      headers: response.headers,
    }
  }
  return {
    get: <T = Record<string, never>>(path: string) => call<T>('GET', path),
    post: <T = Record<string, never>>(path: string, body?: unknown, headers?: Record<string, string>) =>
      call<T>('POST', path, body, headers),
    patch: <T = Record<string, never>>(path: string, body?: unknown) => call<T>('PATCH', path, body),
    delete: <T = Record<string, never>>(path: string) => call<T>('DELETE', path),
    call,
  }
}
export type Api = ReturnType<typeof apiClient>

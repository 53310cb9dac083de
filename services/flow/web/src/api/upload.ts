import { ApiError } from '@kyc/web-kit'
import { isPassing, pause, waitBefore } from './retry.ts'

/** The upload progress shown to the person. `sent` is the fraction of bytes sent, 0 to 1. */
export type UploadProgress = { phase: 'sending'; sent: number } | { phase: 'judging' } | { phase: 'waiting' }

export type UploadOptions = {
  onProgress: (progress: UploadProgress) => void
  signal: AbortSignal
}

/** Milliseconds without progress before the connection is aborted; slow networks still make some progress. */
const stalledMs = 30_000

/**
 * Posts a form and reports its progress. It retries after connection failures, because the form carries an upload id
 * with which the server evaluates it only once. Throws ApiError for failures that a retry would not resolve.
 */
export const upload = <T>(url: string, form: FormData, options: UploadOptions): Promise<T> =>
  patiently(() => send<T>(url, form, options), options)

/** Retries an idempotent call until it succeeds or the person leaves, and reports when it waits. */
export async function patiently<T>(call: () => Promise<T>, options: UploadOptions): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await call()
    } catch (error) {
      if (!(error instanceof ApiError) || !isPassing(error) || options.signal.aborted) throw error
      options.onProgress({ phase: 'waiting' })
      await pause(waitBefore(attempt, error.retryAfterSeconds, Math.random), options.signal)
      if (options.signal.aborted) throw error
    }
  }
}

/** Uses XMLHttpRequest because fetch does not report upload progress. */
function send<T>(url: string, form: FormData, { onProgress, signal }: UploadOptions): Promise<T> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    let watchdog: ReturnType<typeof setTimeout>
    const alive = () => {
      clearTimeout(watchdog)
      watchdog = setTimeout(() => request.abort(), stalledMs)
    }
    const network = () => reject(new ApiError(0, 'network', 'The server could not be reached.'))
    request.open('POST', url)
    request.responseType = 'json'
    request.setRequestHeader('accept', 'application/json')
    request.upload.onprogress = (event) => {
      alive()
      onProgress({ phase: 'sending', sent: event.lengthComputable ? event.loaded / event.total : 0 })
    }
    request.upload.onload = () => {
      alive()
      onProgress({ phase: 'judging' })
    }
    request.onload = () => {
      if (request.status >= 200 && request.status < 300) resolve(request.response as T)
      else reject(errorOf(request))
    }
    request.onerror = network
    request.onabort = network
    request.onloadend = () => {
      clearTimeout(watchdog)
      signal.removeEventListener('abort', stop)
    }
    const stop = () => request.abort()
    signal.addEventListener('abort', stop, { once: true })
    onProgress({ phase: 'sending', sent: 0 })
    alive()
    request.send(form)
  })
}

function errorOf(request: XMLHttpRequest): ApiError {
  const error = (request.response as { error?: { code?: string; message?: string } } | null)?.error
  const retryAfter = request.getResponseHeader('retry-after')
  return new ApiError(
    request.status,
    error?.code ?? 'internal',
    error?.message ?? '',
    new Headers(retryAfter === null ? {} : { 'retry-after': retryAfter }),
  )
}

import type { FlowState, flowEndpoints } from '@kyc/common'
import { type Answer, ApiError, typedFetch } from '@kyc/web-kit'
import { isPassing, pause, waitBefore } from './retry.ts'
import { patiently, type UploadOptions, upload } from './upload.ts'

type Contract = typeof flowEndpoints
export type DocumentAnswer = Answer<Contract, 'post', '/flow/:token/document'>
export type LivenessAnswer = Answer<Contract, 'post', '/flow/:token/liveness'>
export type Challenge = Answer<Contract, 'get', '/flow/:token/liveness'>
export type Handoff = Answer<Contract, 'post', '/flow/:token/handoff'>
export type FunnelEvent = 'camera_denied' | 'camera_unavailable' | 'retake' | 'handoff_used'

const tries = 4

/** Retries after a transient failure; only for idempotent calls. */
async function repeated<T>(call: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await call()
    } catch (error) {
      if (!(error instanceof ApiError) || !isPassing(error) || attempt === tries) throw error
      await pause(waitBefore(attempt, error.retryAfterSeconds, Math.random))
    }
  }
}

const jpegName = (index: number) => `${index}.jpg`

/** The flow's endpoints for the link of this page. */
export function createFlowApi(token: string) {
  const http = typedFetch<Contract>()
  const params = { token }
  const base = `/flow/${encodeURIComponent(token)}`
  return {
    state: (): Promise<FlowState> => repeated(() => http.get('/flow/:token/state', { params })),
    follow: (revision: string | undefined, signal: AbortSignal) =>
      http.get('/flow/:token/changes', { params, query: { revision }, signal }),
    start: (body: { locale?: string; code?: string }) => http.post('/flow/:token/start', { params, body }),
    consent: (body: { accepted: boolean; version: string; locale: string }) =>
      http.post('/flow/:token/consent', { params, body }),
    sendCode: (email: string) => http.post('/flow/:token/email', { params, body: { email } }),
    checkCode: (code: string) => http.post('/flow/:token/email', { params, body: { code } }),
    /** With upload options, the request is retried for as long as the upload that follows it. */
    challenge: (options?: UploadOptions): Promise<Challenge> => {
      const ask = () => http.get('/flow/:token/liveness', { params })
      return options ? patiently(ask, options) : repeated(ask)
    },
    handoff: () => http.post('/flow/:token/handoff', { params }),
    submit: () => http.post('/flow/:token/submit', { params }),
    /** Best effort, because a missing funnel event must not block the person. */
    event: (name: FunnelEvent): void => {
      http.post('/flow/:token/events', { params, body: { name } }).catch(() => {})
    },
    uploadDocument: (fields: Record<string, string>, photo: Blob, options: UploadOptions) => {
      const form = new FormData()
      for (const [name, value] of Object.entries(fields)) form.set(name, value)
      form.set('image', photo, jpegName(0))
      return upload<DocumentAnswer>(`${base}/document`, form, options)
    },
    uploadLiveness: (fields: Record<string, string>, frames: readonly Blob[], options: UploadOptions) => {
      const form = new FormData()
      for (const [name, value] of Object.entries(fields)) form.set(name, value)
      for (const [index, frame] of frames.entries()) form.append('frames', frame, jpegName(index))
      return upload<LivenessAnswer>(`${base}/liveness`, form, options)
    },
  }
}
export type FlowApi = ReturnType<typeof createFlowApi>

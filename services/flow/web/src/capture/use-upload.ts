import type { ApiError } from '@kyc/web-kit'
import { useEffect, useRef, useState } from 'preact/hooks'
import type { UploadOptions, UploadProgress } from '../api/upload.ts'
import { useTask } from '../app/use-task.ts'
import type { MessageKey } from '../i18n/catalogue.ts'

const explain = ({ status }: ApiError): MessageKey | null =>
  status === 400 ? 'issue_other' : status >= 500 ? 'upload_failed' : null

/** A random upload id. Not `randomUUID`, which is missing on insecure pages and in older browsers. */
function newUploadId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}

/** Uploads with retries under one upload id, so that it counts once; leaving the page aborts it. */
export function useUpload() {
  const { busy, problem, run } = useTask(explain)
  const [progress, setProgress] = useState<UploadProgress>({ phase: 'sending', sent: 0 })
  const left = useRef(new AbortController())
  useEffect(() => () => left.current.abort(), [])
  const send = (work: (uploadId: string, options: UploadOptions) => Promise<void>) =>
    run(() => {
      setProgress({ phase: 'sending', sent: 0 })
      return work(newUploadId(), { onProgress: setProgress, signal: left.current.signal })
    })
  return { sending: busy, problem, progress, send }
}

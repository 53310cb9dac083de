import { useEffect, useRef } from 'preact/hooks'
import type { UploadProgress } from '../api/upload.ts'
import { useApp } from '../app/context.ts'
import { Button, Notice } from '../ui/controls.tsx'
import { Screen } from '../ui/screen.tsx'

/** Shows the upload's progress, and that nothing is lost if the network fails. */
export function Sending({ progress }: { progress: UploadProgress }) {
  const { t, announce } = useApp()
  const { phase } = progress
  const title = t(phase === 'judging' ? 'checking_photo' : 'uploading')
  const said = useRef(phase)
  useEffect(() => {
    if (phase === said.current) return
    said.current = phase
    if (phase === 'waiting') announce(t('upload_waiting'))
  }, [phase, announce, t])
  const percent = phase === 'sending' ? Math.round(progress.sent * 100) : phase === 'judging' ? 100 : 0
  return (
    <Screen
      title={title}
      mark="wait"
      actions={
        phase === 'waiting' && (
          <Button kind="secondary" onClick={() => dispatchEvent(new Event('online'))}>
            {t('upload_now')}
          </Button>
        )
      }
    >
      {phase === 'waiting' ? (
        <Notice kind="info">{t('upload_waiting')}</Notice>
      ) : (
        <>
          <progress max={100} value={phase === 'sending' ? percent : undefined} aria-label={title} />
          {phase === 'sending' && <p class="muted">{t('upload_percent', { percent })}</p>}
        </>
      )}
    </Screen>
  )
}

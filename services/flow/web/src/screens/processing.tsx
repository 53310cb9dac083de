import { useEffect } from 'preact/hooks'
import { useApp } from '../app/context.ts'
import { useFollow } from '../app/use-follow.ts'
import { Screen } from '../ui/screen.tsx'

const sayEveryMs = 10_000

export function ProcessingPage() {
  const { t, flow, appName, announce } = useApp()
  useFollow()
  useEffect(() => {
    const timer = setInterval(() => announce(t('processing_still')), sayEveryMs)
    return () => clearInterval(timer)
  }, [announce, t])
  return (
    <Screen
      title={t('processing_title')}
      lead={t('processing_text')}
      mark="wait"
      actions={
        flow?.return_url && (
          <a class="button button-secondary" href={flow.return_url}>
            {t('return_to', { app: appName })}
          </a>
        )
      }
    >
      <div class="bar-wait" aria-hidden="true" />
    </Screen>
  )
}

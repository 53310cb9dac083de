import { useApp } from '../app/context.ts'
import { useTask } from '../app/use-task.ts'
import { Button } from '../ui/controls.tsx'
import { Screen } from '../ui/screen.tsx'

export function LoadingPage() {
  const { t } = useApp()
  return (
    <div class="screen loading" aria-busy="true">
      <span class="spinner" aria-hidden="true" />
      <p>{t('loading')}</p>
    </div>
  )
}

/** The first load failed. Nothing is lost, so the only action is to retry. */
export function LoadErrorPage({ reason }: { reason: 'network' | 'rate_limited' }) {
  const { t, refresh } = useApp()
  const { busy, run } = useTask()
  const again = () =>
    run(async () => {
      await refresh()
    })
  return (
    <Screen
      title={t('load_failed')}
      lead={t(reason === 'network' ? 'load_failed_text' : 'too_many_requests')}
      mark="stop"
      actions={
        <Button busy={busy} onClick={again}>
          {t('try_again')}
        </Button>
      }
    />
  )
}

import { useState } from 'preact/hooks'
import { useApp } from '../../app/context.ts'
import { useTask } from '../../app/use-task.ts'
import { Button, Notice } from '../../ui/controls.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Screen } from '../../ui/screen.tsx'
import type { StepProps } from '../registry.tsx'

export function ConsentStep({ options }: StepProps<'consent'>) {
  const { t, api, language, appName, dispatch } = useApp()
  const { busy, problem, run } = useTask()
  const [asking, setAsking] = useState(false)
  const answer = (accepted: boolean) =>
    run(async () => {
      setAsking(false)
      const flow = await api.consent({ accepted, version: options.version, locale: language })
      if (!accepted) dispatch({ type: 'refused' })
      dispatch({ type: 'loaded', flow })
    })
  return (
    <Screen
      title={t('consent_title')}
      lead={t('consent_lead', { app: appName })}
      actions={
        <>
          <Button busy={busy} onClick={() => answer(true)}>
            {t('consent_agree')}
          </Button>
          <Button kind="quiet" onClick={() => setAsking(true)}>
            {t('consent_refuse')}
          </Button>
        </>
      }
    >
      <details class="card" open>
        <summary>{t('consent_what')}</summary>
        <p class="text" dir="auto">
          {options.text}
        </p>
      </details>
      {options.privacy_url && (
        <p>
          <a href={options.privacy_url} target="_blank" rel="noreferrer noopener">
            {t('consent_privacy')}
            <span class="visually-hidden"> ({t('opens_in_new_tab')})</span>
            <span aria-hidden="true"> ↗</span>
          </a>
        </p>
      )}
      {problem && <Notice kind="bad">{t(problem)}</Notice>}
      {asking && (
        <Dialog title={t('consent_dialog_title')} onClose={() => setAsking(false)}>
          <p>{t('consent_dialog_text', { app: appName })}</p>
          <Button kind="secondary" onClick={() => setAsking(false)}>
            {t('go_back')}
          </Button>
          <Button kind="danger" onClick={() => answer(false)}>
            {t('consent_stop')}
          </Button>
        </Dialog>
      )}
    </Screen>
  )
}

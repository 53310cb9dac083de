import type { FlowStep } from '@kyc/common'
import { ApiError } from '@kyc/web-kit'
import { useState } from 'preact/hooks'
import { useApp } from '../app/context.ts'
import { useTask } from '../app/use-task.ts'
import { stepTitles } from '../steps/titles.ts'
import { Button, Notice } from '../ui/controls.tsx'
import { Screen } from '../ui/screen.tsx'

/** Lists the completed steps, with the button that submits them. */
export function SubmitPage({ skipped }: { skipped: readonly FlowStep[] }) {
  const { t, api, flow, appName, refresh, announce } = useApp()
  const { busy, problem, run } = useTask()
  const [missing, setMissing] = useState(false)
  const send = () =>
    run(async () => {
      try {
        await api.submit()
      } catch (error) {
        if (!(error instanceof ApiError) || error.status !== 409) throw error
        // Either a step is missing, which the refreshed state shows, or another device has already submitted.
        const now = await refresh()
        if (now?.status === 'in_progress') {
          setMissing(true)
          announce(t('missing_step'), 'assertive')
        }
        return
      }
      await refresh()
    })
  return (
    <Screen
      title={t('review_title')}
      lead={t('review_text', { app: appName })}
      actions={
        <Button busy={busy} onClick={send}>
          {t('send')}
        </Button>
      }
    >
      <ul class="card done-list">
        {flow?.steps.map(({ key }) => (
          <li key={key}>
            <span>{t(stepTitles[key])}</span>
            <span class="muted">{t(skipped.includes(key) ? 'review_skipped' : 'review_done')}</span>
          </li>
        ))}
      </ul>
      {missing && <Notice kind="warn">{t('missing_step')}</Notice>}
      {problem && <Notice kind="bad">{t(problem)}</Notice>}
    </Screen>
  )
}

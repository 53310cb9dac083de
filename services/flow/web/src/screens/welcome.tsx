import type { FlowStep } from '@kyc/common'
import { useApp } from '../app/context.ts'
import { useBegin } from '../app/use-begin.ts'
import type { MessageKey } from '../i18n/catalogue.ts'
import { Button, Notice } from '../ui/controls.tsx'
import { Screen } from '../ui/screen.tsx'

const needs: Partial<Record<FlowStep, MessageKey>> = {
  document: 'welcome_document',
  liveness: 'welcome_face',
  email: 'welcome_email',
}

/** A large screen with a mouse; a phone takes better photos of documents. */
const isComputer = () => matchMedia('(hover: hover) and (pointer: fine) and (min-width: 700px)').matches

export function WelcomePage() {
  const { t, flow, appName, dispatch } = useApp()
  const camera = flow?.steps.some(({ key }) => key === 'document' || key === 'liveness') ?? false
  const better = camera && (flow?.handoff.enabled ?? false) && isComputer()
  const { busy, problem, begin } = useBegin()
  const list = [
    ...(flow?.steps ?? []).map(({ key }) => needs[key]),
    ...(camera ? (['welcome_light', 'welcome_camera'] as const) : []),
  ].filter((key) => key !== undefined)
  return (
    <Screen
      title={t('verify_identity')}
      lead={t('welcome_text', { app: appName })}
      actions={
        better ? (
          <>
            <Button onClick={() => dispatch({ type: 'handoff_opened' })}>{t('use_phone')}</Button>
            <Button kind="secondary" busy={busy} onClick={begin}>
              {t('stay_here')}
            </Button>
          </>
        ) : (
          <Button busy={busy} onClick={begin}>
            {t('start')}
          </Button>
        )
      }
    >
      {problem && <Notice kind="bad">{t(problem)}</Notice>}
      <section class="card">
        <h2>{t('welcome_need')}</h2>
        <ul class="checks">
          {list.map((key) => (
            <li key={key}>{t(key)}</li>
          ))}
        </ul>
      </section>
      {better && (
        <section class="card">
          <h2>{t('phone_better')}</h2>
          <p>{t('phone_better_text')}</p>
        </section>
      )}
      <p class="small">{t('privacy_line', { app: appName })}</p>
    </Screen>
  )
}

import type { ComponentChildren } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { type Language, languages } from '../i18n/locales.ts'
import { Button } from '../ui/controls.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { usableLogo } from './branding.ts'
import { useApp } from './context.ts'

/** The frame of every page: client, progress, language and help. */
export function Shell(props: {
  offered: readonly Language[]
  onLanguage: (language: Language) => void
  children: ComponentChildren
}) {
  const { t, flow, appName, language } = useApp()
  const [helping, setHelping] = useState(false)
  const online = useOnline()
  const logo = usableLogo(flow?.app.logo_url ?? null, location.origin)
  return (
    <div class="shell">
      <header>
        <div class="bar">
          <span class="brand">
            {logo ? <img src={logo} alt={appName} class="logo" /> : flow ? appName : ''}
          </span>
          {props.offered.length > 1 && (
            <label class="language">
              <span class="visually-hidden">{t('language')}</span>
              <select
                value={language}
                onChange={(event) => props.onLanguage(event.currentTarget.value as Language)}
              >
                {props.offered.map((offered) => (
                  <option key={offered} value={offered} lang={offered}>
                    {languages[offered].name}
                  </option>
                ))}
              </select>
            </label>
          )}
          <button type="button" class="help" onClick={() => setHelping(true)}>
            {t('help')}
          </button>
        </div>
        <Steps />
      </header>
      {!online && (
        <p class="offline" role="status">
          {t('offline')}
        </p>
      )}
      <main class="main">{props.children}</main>
      {helping && (
        <Dialog title={t('help_title')} onClose={() => setHelping(false)}>
          <ul class="points">
            <li>{t('help_light')}</li>
            <li>{t('help_camera')}</li>
            <li>{t('help_pause')}</li>
            <li>{t('help_contact', { app: appName })}</li>
          </ul>
          <Button kind="secondary" onClick={() => setHelping(false)}>
            {t('close')}
          </Button>
        </Dialog>
      )}
    </div>
  )
}

/** The progress, as a bar and as text. */
function Steps() {
  const { t, flow } = useApp()
  if (flow?.status !== 'in_progress') return null
  const total = flow.steps.length
  const done = flow.steps.filter(({ status }) => status === 'completed' || status === 'failed').length
  return (
    <div class="steps">
      <span class="steps-text">{t('step_of', { number: Math.min(total, done + 1), total })}</span>
      <span class="steps-line" aria-hidden="true">
        {flow.steps.map(({ key, status }) => (
          <span key={key} class={status === 'completed' || status === 'failed' ? 'done' : ''} />
        ))}
      </span>
    </div>
  )
}

function useOnline(): boolean {
  const [online, setOnline] = useState(navigator.onLine)
  useEffect(() => {
    const update = () => setOnline(navigator.onLine)
    addEventListener('online', update)
    addEventListener('offline', update)
    return () => {
      removeEventListener('online', update)
      removeEventListener('offline', update)
    }
  }, [])
  return online
}

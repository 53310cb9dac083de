import type { ApiError } from '@kyc/web-kit'
import { useState } from 'preact/hooks'
import { useApp } from '../app/context.ts'
import { useTask } from '../app/use-task.ts'
import type { MessageKey } from '../i18n/catalogue.ts'
import { Button, Field } from '../ui/controls.tsx'
import { Screen } from '../ui/screen.tsx'

const explainCode = ({ status }: ApiError): MessageKey | null => (status === 409 ? 'handoff_wrong' : null)

/** Shown on the phone. The code proves that whoever opened the link can see the first device. */
export function HandoffCodePage() {
  const { t, api, language, dispatch } = useApp()
  const { busy, problem, clear, run } = useTask(explainCode)
  const [code, setCode] = useState('')
  const [short, setShort] = useState(false)
  const send = (event: Event) => {
    event.preventDefault()
    if (code.length !== 6) {
      setShort(true)
      return
    }
    void run(async () => {
      const confirmed = await api.start({ code })
      const open = confirmed.status === 'not_started' || confirmed.status === 'in_progress'
      dispatch({ type: 'loaded', flow: open ? await api.start({ locale: language }) : confirmed })
      api.event('handoff_used')
    })
  }
  return (
    <form class="form" onSubmit={send} noValidate>
      <Screen
        title={t('handoff_enter_title')}
        lead={t('handoff_enter_text')}
        actions={
          <Button submit busy={busy}>
            {t('go_on')}
          </Button>
        }
      >
        <Field
          label={t('handoff_enter_label')}
          value={code}
          error={problem ? t(problem) : short ? t('email_code_short') : null}
          onInput={(value) => {
            clear()
            setShort(false)
            setCode(value.replace(/\D/g, '').slice(0, 6))
          }}
          input={{ type: 'text', inputMode: 'numeric', autocomplete: 'off', class: 'code-input' }}
        />
      </Screen>
    </form>
  )
}

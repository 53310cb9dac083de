import { useEffect, useState } from 'preact/hooks'
import { useApp } from '../../app/context.ts'
import { useTask } from '../../app/use-task.ts'
import { Button, Field, Notice } from '../../ui/controls.tsx'
import { Screen } from '../../ui/screen.tsx'
import { explainCode, explainSending } from './explain.ts'

/** Input for a six-digit code that is typed, pasted or autofilled from the e-mail. */
export function CodeForm(props: {
  shownAddress: string
  address: string
  resendIn: number
  required: boolean
  onChange: () => void
}) {
  const { t, api, dispatch, refresh, announce } = useApp()
  const check = useTask(explainCode)
  const resend = useTask(explainSending)
  const [code, setCode] = useState('')
  const [error, setError] = useState<string | null>(null)
  const [left, setLeft] = useCountdown(props.resendIn, () => announce(t('email_resend_now')))

  const verify = (digits: string) => {
    if (digits.length !== 6) {
      setError(t('email_code_short'))
      return
    }
    void check.run(async () => {
      const answer = await api.checkCode(digits)
      if (answer.verified) {
        await refresh()
        return
      }
      const remaining = answer.attempts_remaining
      setCode('')
      setError(remaining > 0 ? t('email_code_wrong', { count: remaining }) : t('email_code_used_up'))
      if (remaining > 0) return
      const now = await refresh()
      const step = now?.steps.find(({ key }) => key === 'email')
      if (step?.status === 'failed') announce(t('email_failed'), 'assertive')
    })
  }
  const again = () =>
    resend.run(async () => {
      const answer = await api.sendCode(props.address)
      setLeft(answer.resend_in)
      setError(null)
      if (answer.sent) announce(t('email_sent_again'))
    })
  return (
    <form
      class="form"
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        verify(code)
      }}
    >
      <Screen
        title={t('email_code_title')}
        lead={t('email_sent_to', { address: `\u2068${props.shownAddress}\u2069` })}
        actions={
          <>
            <Button submit busy={check.busy}>
              {t('email_code_check')}
            </Button>
            {!props.required && (
              <Button kind="quiet" onClick={() => dispatch({ type: 'skipped', step: 'email' })}>
                {t('email_skip')}
              </Button>
            )}
          </>
        }
      >
        <Field
          label={t('email_code_label')}
          value={code}
          error={check.problem ? t(check.problem) : error}
          onInput={(value) => {
            const digits = value.replace(/\D/g, '').slice(0, 6)
            check.clear()
            setError(null)
            setCode(digits)
            // Submit immediately if the code was pasted or autofilled.
            if (digits.length === 6 && code.length < 5) verify(digits)
          }}
          input={{ type: 'text', inputMode: 'numeric', autocomplete: 'one-time-code', class: 'code-input' }}
        />
        {resend.problem && <Notice kind="bad">{t(resend.problem)}</Notice>}
        <div class="inline-actions">
          {left > 0 ? (
            <p class="muted">{t('email_resend_in', { count: left })}</p>
          ) : (
            props.address !== '' && (
              <Button kind="quiet" busy={resend.busy} onClick={again}>
                {t('email_resend')}
              </Button>
            )
          )}
          <Button kind="quiet" onClick={props.onChange}>
            {t('email_change')}
          </Button>
        </div>
      </Screen>
    </form>
  )
}

/** Counts seconds down to zero, then calls `done` once. Uses the clock, because phones pause background timers. */
function useCountdown(from: number, done: () => void): [number, (seconds: number) => void] {
  const [left, setLeft] = useState(from)
  const [ends, setEnds] = useState(() => Date.now() + from * 1000)
  useEffect(() => {
    if (ends <= Date.now()) return
    const tick = () => {
      const seconds = Math.max(0, Math.ceil((ends - Date.now()) / 1000))
      setLeft(seconds)
      if (seconds > 0) return
      clearInterval(timer)
      done()
    }
    const timer = setInterval(tick, 1000)
    return () => clearInterval(timer)
  }, [ends])
  const restart = (seconds: number) => {
    setLeft(seconds)
    setEnds(Date.now() + seconds * 1000)
  }
  return [left, restart]
}

import { useState } from 'preact/hooks'
import { useApp } from '../../app/context.ts'
import { useTask } from '../../app/use-task.ts'
import { Button, Field, Notice } from '../../ui/controls.tsx'
import { Screen } from '../../ui/screen.tsx'
import type { StepProps } from '../registry.tsx'
import { CodeForm } from './code-form.tsx'
import { explainSending } from './explain.ts'

/** Deliberately lenient; the server validates, and this only catches obvious mistakes. */
const looksLikeAddress = (text: string) => /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(text)

export function EmailStep({ options, required }: StepProps<'email'>) {
  const [address, setAddress] = useState(options.prefill ?? '')
  const [sent, setSent] = useState(options.sent_to !== null)
  const [resendIn, setResendIn] = useState(options.resend_in)
  const [changing, setChanging] = useState(false)
  if (sent && !changing) {
    return (
      <CodeForm
        shownAddress={address === '' || address === options.prefill ? (options.sent_to ?? address) : address}
        address={address}
        resendIn={resendIn}
        required={required}
        onChange={() => setChanging(true)}
      />
    )
  }
  return (
    <AddressForm
      address={address}
      required={required}
      onAddress={setAddress}
      onSent={(seconds) => {
        setResendIn(seconds)
        setSent(true)
        setChanging(false)
      }}
    />
  )
}

function AddressForm(props: {
  address: string
  required: boolean
  onAddress: (address: string) => void
  onSent: (resendIn: number) => void
}) {
  const { t, api, dispatch } = useApp()
  const { busy, problem, clear, run } = useTask(explainSending)
  const [invalid, setInvalid] = useState(false)
  const send = (event: Event) => {
    event.preventDefault()
    const address = props.address.trim()
    if (!looksLikeAddress(address)) {
      setInvalid(true)
      return
    }
    void run(async () => {
      const answer = await api.sendCode(address)
      props.onSent(answer.resend_in)
    })
  }
  const fieldError = invalid || problem === 'email_invalid' ? t('email_invalid') : null
  return (
    <form class="form" onSubmit={send} noValidate>
      <Screen
        title={t('email_title')}
        lead={t('email_text')}
        actions={
          <>
            <Button submit busy={busy}>
              {t('email_send')}
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
          label={t('email_label')}
          value={props.address}
          error={fieldError}
          onInput={(value) => {
            clear()
            setInvalid(false)
            props.onAddress(value)
          }}
          input={{ type: 'email', inputMode: 'email', autocomplete: 'email', maxLength: 254 }}
        />
        {problem && problem !== 'email_invalid' && <Notice kind="bad">{t(problem)}</Notice>}
      </Screen>
    </form>
  )
}

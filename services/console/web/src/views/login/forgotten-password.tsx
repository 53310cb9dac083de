import { useState } from 'react'
import { api } from '../../api/client.ts'
import { Button } from '../../ui/button.tsx'
import { TextField } from '../../ui/field.tsx'
import { FormError, wordsOf } from '../../ui/states.tsx'
import { Frame } from './frame.tsx'
import styles from './login.module.css'

export function ForgottenPassword({ onBack }: { onBack: () => void }) {
  const [sent, setSent] = useState(false)
  const [error, setError] = useState<string>()
  const [busy, setBusy] = useState(false)
  const submit = async (form: FormData) => {
    setBusy(true)
    setError(undefined)
    try {
      await api.post('/console/api/password-reset', { body: { email: String(form.get('email')).trim() } })
      setSent(true)
    } catch (failure) {
      setError(wordsOf(failure))
    } finally {
      setBusy(false)
    }
  }
  return (
    <Frame title="Forgotten password">
      {sent ? (
        <p role="status">
          If there is an account with this address, a link is on its way. It works for an hour.
        </p>
      ) : (
        <>
          <FormError>{error}</FormError>
          <form
            className={styles.form}
            onSubmit={(event) => {
              event.preventDefault()
              void submit(new FormData(event.currentTarget))
            }}
          >
            <TextField label="E-mail address" name="email" type="email" autoComplete="username" required />
            <Button type="submit" variant="primary" busy={busy}>
              Send a link
            </Button>
          </form>
        </>
      )}
      <button type="button" className={styles.quiet} onClick={onBack}>
        Back to sign in
      </button>
    </Frame>
  )
}

import type { SignInState } from '@kyc/common'
import { useState } from 'react'
import { api, keepCsrfToken } from '../../api/client.ts'
import { Button } from '../../ui/button.tsx'
import { TextField } from '../../ui/field.tsx'
import { FormError, Frame } from './frame.tsx'
import styles from './login.module.css'
import { signInWords } from './words.ts'

export function SecondFactor({ onDone }: { onDone: (state: SignInState) => void }) {
  const [error, setError] = useState<string>()
  const [busy, setBusy] = useState(false)
  const [recovery, setRecovery] = useState(false)
  const submit = async (form: FormData) => {
    setBusy(true)
    setError(undefined)
    try {
      const body = { code: String(form.get('code')).replace(/\s/g, '') }
      onDone(keepCsrfToken(await api.post('/console/api/login/second-factor', { body })).state)
    } catch (failure) {
      setError(signInWords(failure, 'That code is not right, or it was used before.'))
    } finally {
      setBusy(false)
    }
  }
  return (
    <Frame title="Second factor">
      <p>
        {recovery
          ? 'Type one of the recovery codes you kept. Each works once.'
          : 'Type the 6 digits that your authenticator app shows.'}
      </p>
      <FormError>{error}</FormError>
      <form
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault()
          void submit(new FormData(event.currentTarget))
        }}
      >
        <TextField
          key={recovery ? 'recovery' : 'code'}
          label={recovery ? 'Recovery code' : 'Code'}
          name="code"
          inputMode={recovery ? 'text' : 'numeric'}
          autoComplete={recovery ? 'off' : 'one-time-code'}
          required
          autoFocus
        />
        <Button type="submit" variant="primary" busy={busy}>
          Sign in
        </Button>
      </form>
      <button type="button" className={styles.quiet} onClick={() => setRecovery(!recovery)}>
        {recovery ? 'Use the authenticator app' : 'Use a recovery code'}
      </button>
    </Frame>
  )
}

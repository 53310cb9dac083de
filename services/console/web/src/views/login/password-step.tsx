import type { SignInState } from '@kyc/common'
import { useState } from 'react'
import { api, keepCsrfToken } from '../../api/client.ts'
import { signInWithPasskey } from '../../api/passkeys.ts'
import { reasonAgainstPasskeys } from '../../lib/passkeys.ts'
import { Button } from '../../ui/button.tsx'
import { TextField } from '../../ui/field.tsx'
import { FormError } from '../../ui/states.tsx'
import { useAction } from '../../ui/use-action.ts'
import { Frame } from './frame.tsx'
import styles from './login.module.css'
import { passkeyRefused, signInWords } from './words.ts'

type Props = { onDone: (state: SignInState) => void; onForgotten: () => void }

export function Password({ onDone, onForgotten }: Props) {
  const [error, setError] = useState<string>()
  const [busy, setBusy] = useState(false)
  const submit = async (form: FormData) => {
    setBusy(true)
    setError(undefined)
    try {
      const body = { email: String(form.get('email')).trim(), password: String(form.get('password')) }
      onDone(keepCsrfToken(await api.post('/console/api/login', { body })).state)
    } catch (failure) {
      setError(signInWords(failure, 'Incorrect e-mail address or password.'))
    } finally {
      setBusy(false)
    }
  }
  const [byPasskey, prompting] = useAction(
    async () => {
      setError(undefined)
      onDone(await signInWithPasskey())
    },
    (failure) => setError(signInWords(failure, passkeyRefused)),
  )
  return (
    <Frame title="Sign in" first>
      <FormError>{error}</FormError>
      <form
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault()
          void submit(new FormData(event.currentTarget))
        }}
      >
        <TextField
          label="E-mail address"
          name="email"
          type="email"
          autoComplete="username"
          required
          autoFocus
        />
        <TextField
          label="Password"
          name="password"
          type="password"
          autoComplete="current-password"
          required
        />
        <Button type="submit" variant="primary" busy={busy}>
          Continue
        </Button>
      </form>
      <Button busy={prompting} reason={reasonAgainstPasskeys()} onClick={byPasskey}>
        Sign in with a passkey
      </Button>
      <button type="button" className={styles.quiet} onClick={onForgotten}>
        Forgotten password
      </button>
    </Frame>
  )
}

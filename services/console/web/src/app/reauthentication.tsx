import { useEffect, useState } from 'react'
import { useAccount } from '../api/account.ts'
import { api, keepCsrfToken, setHooks } from '../api/client.ts'
import { reauthenticateWithPasskey } from '../api/passkeys.ts'
import { reasonAgainstPasskeys } from '../lib/passkeys.ts'
import { Button } from '../ui/button.tsx'
import { Dialog, DialogActions } from '../ui/dialog.tsx'
import { TextField } from '../ui/field.tsx'
import { pageStyles } from '../ui/page.tsx'
import { FormError, wordsOf } from '../ui/states.tsx'
import { useAction } from '../ui/use-action.ts'

/** Asks for a passkey, or password and code, when the server requires it; then repeats the pending request. */
export function Reauthentication() {
  const { user, second_factor } = useAccount()
  const [waiting, setWaiting] = useState<((done: boolean) => void) | null>(null)
  const [error, setError] = useState<string>()
  useEffect(() => {
    setHooks({
      reauthenticate: () =>
        new Promise((resolve) => {
          setError(undefined)
          setWaiting(() => resolve)
        }),
    })
  }, [])
  const finish = (done: boolean) => {
    waiting?.(done)
    setWaiting(null)
  }
  const fail = (failure: unknown) => setError(wordsOf(failure))
  const [submit, busy] = useAction(async (form: FormData) => {
    setError(undefined)
    const code = String(form.get('code')).replace(/\s/g, '')
    const body = { password: String(form.get('password')), code }
    keepCsrfToken(await api.post('/console/api/me/reauthenticate', { body }))
    finish(true)
  }, fail)
  const [givePasskey, prompting] = useAction(async () => {
    setError(undefined)
    await reauthenticateWithPasskey()
    finish(true)
  }, fail)
  return (
    <Dialog title="Confirm that it is you" open={waiting !== null} onClose={() => finish(false)}>
      <p className="muted">This changes who or what is trusted, so confirm your identity again.</p>
      <FormError>{error}</FormError>
      {second_factor.passkeys > 0 && (
        <Button
          variant="primary"
          busy={prompting}
          reason={reasonAgainstPasskeys()}
          onClick={givePasskey}
          autoFocus
        >
          Use a passkey
        </Button>
      )}
      <form
        className={pageStyles.form}
        onSubmit={(event) => {
          event.preventDefault()
          submit(new FormData(event.currentTarget))
        }}
      >
        <input type="text" name="username" autoComplete="username" value={user.email} readOnly hidden />
        <TextField
          label="Password"
          name="password"
          type="password"
          autoComplete="current-password"
          required
          autoFocus={second_factor.passkeys === 0}
        />
        <TextField
          label={
            second_factor.authenticator_app
              ? 'Code of your authenticator app, or a recovery code'
              : 'Recovery code'
          }
          name="code"
          autoComplete="one-time-code"
          required
        />
        <DialogActions>
          <Button onClick={() => finish(false)}>Cancel</Button>
          <Button type="submit" variant={second_factor.passkeys > 0 ? 'plain' : 'primary'} busy={busy}>
            Confirm
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}

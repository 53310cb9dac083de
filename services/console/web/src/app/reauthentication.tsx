import { useEffect, useState } from 'react'
import { useAccount } from '../api/account.ts'
import { api, keepCsrfToken, setHooks } from '../api/client.ts'
import { Button } from '../ui/button.tsx'
import { Dialog, DialogActions } from '../ui/dialog.tsx'
import { TextField } from '../ui/field.tsx'
import { pageStyles } from '../ui/page.tsx'
import { wordsOf } from '../ui/states.tsx'

/** Asks for the password again when the server wants it, then lets the waiting request go through. */
export function Reauthentication() {
  const { user, second_factor } = useAccount()
  const [waiting, setWaiting] = useState<((done: boolean) => void) | null>(null)
  const [error, setError] = useState<string>()
  const [busy, setBusy] = useState(false)
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
  const submit = async (form: FormData) => {
    setBusy(true)
    setError(undefined)
    try {
      const code = String(form.get('code') ?? '').replace(/\s/g, '')
      const body = { password: String(form.get('password')), ...(code === '' ? {} : { code }) }
      keepCsrfToken(await api.post('/console/api/me/reauthenticate', { body }))
      finish(true)
    } catch (failure) {
      setError(wordsOf(failure))
    } finally {
      setBusy(false)
    }
  }
  return (
    <Dialog title="Confirm that it is you" open={waiting !== null} onClose={() => finish(false)}>
      <p className="muted">This changes who or what is trusted, so your password is asked for again.</p>
      <form
        className={pageStyles.form}
        onSubmit={(event) => {
          event.preventDefault()
          void submit(new FormData(event.currentTarget))
        }}
      >
        <input type="text" name="username" autoComplete="username" value={user.email} readOnly hidden />
        <TextField
          label="Password"
          name="password"
          type="password"
          autoComplete="current-password"
          required
          autoFocus
          error={error}
        />
        {second_factor.enrolled && (
          <TextField
            label="Code of your authenticator app"
            name="code"
            inputMode="numeric"
            autoComplete="one-time-code"
            required
          />
        )}
        <DialogActions>
          <Button onClick={() => finish(false)}>Cancel</Button>
          <Button type="submit" variant="primary" busy={busy}>
            Confirm
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}

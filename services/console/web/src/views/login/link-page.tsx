import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../api/client.ts'
import { Button } from '../../ui/button.tsx'
import { TextField } from '../../ui/field.tsx'
import { FormError, Loading, wordsOf } from '../../ui/states.tsx'
import { Frame } from './frame.tsx'
import styles from './login.module.css'

/** Read once and removed from the address bar. It is in the fragment, so no server and no log ever sees it. */
const token = location.hash.slice(1)
if (token !== '' && location.pathname.endsWith('/link')) {
  history.replaceState(null, '', location.pathname)
}

/** The target of a mailed invitation or password reset. */
export function LinkPage() {
  const link = useQuery({
    queryKey: ['link'],
    queryFn: () => api.post('/console/api/links/open', { body: { token } }),
    enabled: token !== '',
    retry: false,
    gcTime: 0,
  })
  const [done, setDone] = useState(false)
  const [error, setError] = useState<string>()
  const [busy, setBusy] = useState(false)
  const submit = async (form: FormData) => {
    setBusy(true)
    setError(undefined)
    try {
      const name = String(form.get('name') ?? '').trim()
      const body = { token, password: String(form.get('password')), ...(name === '' ? {} : { name }) }
      await api.post('/console/api/links/use', { body })
      setDone(true)
    } catch (failure) {
      setError(wordsOf(failure))
    } finally {
      setBusy(false)
    }
  }
  if (done) {
    return (
      <Frame title="Your password is set">
        <a href="/console/login">Sign in</a>
      </Frame>
    )
  }
  if (link.isPending && token !== '') {
    return (
      <Frame title="One moment">
        <Loading what="the link" />
      </Frame>
    )
  }
  if (!link.data) {
    return (
      <Frame title="This link does not work">
        <p>It was used before, or it is older than an hour. Ask for a new one.</p>
        <a href="/console/login">Go to sign in</a>
      </Frame>
    )
  }
  const invited = link.data.kind === 'invitation'
  return (
    <Frame title={invited ? 'Welcome to the console' : 'Set a new password'}>
      <p>For {link.data.email}.</p>
      <FormError>{error}</FormError>
      <form
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault()
          void submit(new FormData(event.currentTarget))
        }}
      >
        <input type="text" name="username" autoComplete="username" value={link.data.email} readOnly hidden />
        {invited && (
          <TextField
            label="Your name"
            name="name"
            autoComplete="name"
            maxLength={80}
            hint="As colleagues see it beside your decisions."
          />
        )}
        <TextField
          label="New password"
          name="password"
          type="password"
          autoComplete="new-password"
          minLength={12}
          maxLength={256}
          required
          hint="At least 12 characters. A sentence is easier to keep than symbols."
        />
        <Button type="submit" variant="primary" busy={busy}>
          Set the password
        </Button>
      </form>
    </Frame>
  )
}

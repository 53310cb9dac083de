import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api, keepCsrfToken } from '../../api/client.ts'
import { Button } from '../../ui/button.tsx'
import { CheckField, TextField } from '../../ui/field.tsx'
import { Failed, Loading } from '../../ui/states.tsx'
import { FormError, Frame } from './frame.tsx'
import styles from './login.module.css'
import { signInWords } from './words.ts'

/** Sets up a second factor: a secret for an authenticator app, a first code, then the recovery codes. */
export function Enrolment({ onDone }: { onDone: () => void }) {
  // The secret is made once for this page, so an answer must not be asked for again behind the person's back.
  const secret = useQuery({
    queryKey: ['enrolment'],
    queryFn: () => api.post('/console/api/me/second-factor', {}),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    retry: false,
  })
  const [codes, setCodes] = useState<string[]>()
  const [error, setError] = useState<string>()
  const [busy, setBusy] = useState(false)
  const confirm = async (form: FormData) => {
    setBusy(true)
    setError(undefined)
    try {
      const body = { code: String(form.get('code')).replace(/\s/g, '') }
      const answer = await api.post('/console/api/me/second-factor/confirm', { body })
      keepCsrfToken(answer)
      setCodes(answer.recovery_codes)
    } catch (failure) {
      setError(signInWords(failure, 'That code is not right. Check the clock of your phone.'))
    } finally {
      setBusy(false)
    }
  }
  if (codes) return <RecoveryCodes codes={codes} onDone={onDone} />
  return (
    <Frame title="Set up a second factor">
      <p>Your role can change what others decide by, so a password alone is not enough.</p>
      {secret.isPending && <Loading what="the QR code" />}
      {secret.isError && <Failed error={secret.error} retry={() => void secret.refetch()} />}
      {secret.data && (
        <>
          <p>1. Scan this with an authenticator app.</p>
          <img
            className={styles.qr}
            alt="QR code of the secret, which is also written below"
            src={`data:image/svg+xml,${encodeURIComponent(secret.data.qr_svg)}`}
          />
          <p>Or type this secret into it:</p>
          <code className={styles.secret}>{secret.data.secret}</code>
          <FormError>{error}</FormError>
          <form
            className={styles.form}
            onSubmit={(event) => {
              event.preventDefault()
              void confirm(new FormData(event.currentTarget))
            }}
          >
            <TextField
              label="2. Type the 6 digits it shows"
              name="code"
              inputMode="numeric"
              autoComplete="one-time-code"
              required
            />
            <Button type="submit" variant="primary" busy={busy}>
              Confirm
            </Button>
          </form>
        </>
      )}
    </Frame>
  )
}

function RecoveryCodes({ codes, onDone }: { codes: string[]; onDone: () => void }) {
  const [kept, setKept] = useState(false)
  return (
    <Frame title="Keep these recovery codes">
      <p>Each signs you in once if your phone is lost. They are not shown again.</p>
      <ul className={styles.codes}>
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ul>
      <CheckField label="I stored them" checked={kept} onChange={(event) => setKept(event.target.checked)} />
      <Button variant="primary" onClick={onDone} reason={!kept && 'Store the codes first'}>
        Go to the console
      </Button>
    </Frame>
  )
}

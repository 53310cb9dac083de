import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api, keepCsrfToken } from '../../api/client.ts'
import { Button } from '../../ui/button.tsx'
import { TextField } from '../../ui/field.tsx'
import { Failed, FormError, Loading, wordsOf } from '../../ui/states.tsx'
import { useAction } from '../../ui/use-action.ts'
import styles from './login.module.css'

type Props = { onCodes: (codes: string[]) => void }

/** Shows a secret for an authenticator app, and asks for the first code. */
export function AuthenticatorApp({ onCodes }: Props) {
  // Fetched once per page, because another fetch would replace the secret that was scanned.
  const secret = useQuery({
    queryKey: ['enrolment'],
    queryFn: () => api.post('/console/api/me/second-factor', {}),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    retry: false,
  })
  const [error, setError] = useState<string>()
  const [confirm, busy] = useAction(
    async (form: FormData) => {
      setError(undefined)
      const body = { code: String(form.get('code')).replace(/\s/g, '') }
      onCodes(keepCsrfToken(await api.post('/console/api/me/second-factor/confirm', { body })).recovery_codes)
    },
    (failure) => setError(wordsOf(failure)),
  )
  return (
    <>
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
              confirm(new FormData(event.currentTarget))
            }}
          >
            <TextField
              label="2. Enter the 6 digits it shows"
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
    </>
  )
}

import type { SignInState } from '@kyc/common'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { accountQuery } from '../../api/account.ts'
import { api, keepCsrfToken } from '../../api/client.ts'
import { verifyPasskeySecondFactor } from '../../api/passkeys.ts'
import { reasonAgainstPasskeys } from '../../lib/passkeys.ts'
import { Button } from '../../ui/button.tsx'
import { TextField } from '../../ui/field.tsx'
import { Failed, FormError, Loading } from '../../ui/states.tsx'
import { useAction } from '../../ui/use-action.ts'
import { Frame } from './frame.tsx'
import styles from './login.module.css'
import { passkeyRefused, signInWords } from './words.ts'

type Way = 'passkey' | 'code' | 'recovery'

const lead: Record<Way, string> = {
  passkey: 'Confirm with one of your passkeys.',
  code: 'Enter the 6-digit code that your authenticator app shows.',
  recovery: 'Enter one of your recovery codes. Each works once.',
}
const choose: Record<Way, string> = {
  passkey: 'Use a passkey',
  code: 'Use a code',
  recovery: 'Use a recovery code',
}

/** The second step of a sign-in: a passkey, a code of the authenticator app, or a recovery code. */
export function SecondFactor({ onDone }: { onDone: (state: SignInState) => void }) {
  // Always refetch, because a response cached before this sign-in may belong to another user.
  const account = useQuery({ ...accountQuery, staleTime: 0 })
  const [chosen, setChosen] = useState<Way>()
  const [error, setError] = useState<string>()
  const factors = account.data?.second_factor
  const ways: Way[] = [
    ...(factors && factors.passkeys > 0 ? (['passkey'] as const) : []),
    ...(factors?.authenticator_app ? (['code'] as const) : []),
    'recovery',
  ]
  const way = chosen ?? ways[0] ?? 'recovery'
  const fail = (refused: string) => (failure: unknown) => setError(signInWords(failure, refused))
  const [givePasskey, prompting] = useAction(async () => {
    setError(undefined)
    onDone(await verifyPasskeySecondFactor())
  }, fail(passkeyRefused))
  const [giveCode, busy] = useAction(
    async (form: FormData) => {
      setError(undefined)
      const body = { code: String(form.get('code')).replace(/\s/g, '') }
      onDone(keepCsrfToken(await api.post('/console/api/login/second-factor', { body })).state)
    },
    fail(
      way === 'recovery'
        ? 'Incorrect recovery code, or it was used before.'
        : "Incorrect code. Check that your phone's clock is set automatically.",
    ),
  )
  return (
    <Frame title="Second factor">
      {account.isPending && <Loading what="your second factors" />}
      {account.isError && <Failed error={account.error} retry={() => void account.refetch()} />}
      {account.data && (
        <>
          <p>{lead[way]}</p>
          <FormError>{error}</FormError>
          {way === 'passkey' ? (
            <Button variant="primary" busy={prompting} reason={reasonAgainstPasskeys()} onClick={givePasskey}>
              Use a passkey
            </Button>
          ) : (
            <form
              className={styles.form}
              onSubmit={(event) => {
                event.preventDefault()
                giveCode(new FormData(event.currentTarget))
              }}
            >
              <TextField
                key={way}
                label={way === 'recovery' ? 'Recovery code' : 'Code'}
                name="code"
                inputMode={way === 'recovery' ? 'text' : 'numeric'}
                autoComplete={way === 'recovery' ? 'off' : 'one-time-code'}
                required
                autoFocus
              />
              <Button type="submit" variant="primary" busy={busy}>
                Sign in
              </Button>
            </form>
          )}
          {ways
            .filter((other) => other !== way)
            .map((other) => (
              <button
                key={other}
                type="button"
                className={styles.quiet}
                onClick={() => {
                  setError(undefined)
                  setChosen(other)
                }}
              >
                {choose[other]}
              </button>
            ))}
        </>
      )}
    </Frame>
  )
}

import { useState } from 'react'
import { registerPasskey } from '../../api/passkeys.ts'
import { reasonAgainstPasskeys } from '../../lib/passkeys.ts'
import { Button } from '../../ui/button.tsx'
import { CheckField } from '../../ui/field.tsx'
import { FormError, wordsOf } from '../../ui/states.tsx'
import { useAction } from '../../ui/use-action.ts'
import { AuthenticatorApp } from './authenticator-app.tsx'
import { Frame } from './frame.tsx'
import styles from './login.module.css'

/** Sets up a second factor, a passkey or an authenticator app, then shows the recovery codes. */
export function Enrolment({ onDone }: { onDone: () => void }) {
  const [app, setApp] = useState(false)
  const [codes, setCodes] = useState<string[]>()
  if (codes) return <RecoveryCodes codes={codes} onDone={onDone} />
  if (app) {
    return (
      <Frame title="Set up an authenticator app">
        <AuthenticatorApp onCodes={setCodes} />
        <button type="button" className={styles.quiet} onClick={() => setApp(false)}>
          Choose another second factor
        </button>
      </Frame>
    )
  }
  return <Choice onApp={() => setApp(true)} onCodes={setCodes} />
}

type ChoiceProps = { onApp: () => void; onCodes: (codes: string[]) => void }

function Choice({ onApp, onCodes }: ChoiceProps) {
  const [error, setError] = useState<string>()
  const [register, busy] = useAction(
    async () => {
      setError(undefined)
      // The first second factor always comes with recovery codes.
      onCodes((await registerPasskey('My first passkey')).recovery_codes ?? [])
    },
    (failure) => setError(wordsOf(failure)),
  )
  return (
    <Frame title="Set up a second factor">
      <p>
        The console shows identity documents, so everybody signs in with a second factor beside the password.
      </p>
      <FormError>{error}</FormError>
      <section className={styles.choice} aria-labelledby="choice-passkey">
        <h2 id="choice-passkey">Passkey (recommended)</h2>
        <p>Confirm with the fingerprint, face or PIN of your device, or with a security key.</p>
        <Button variant="primary" busy={busy} reason={reasonAgainstPasskeys()} onClick={register}>
          Create a passkey
        </Button>
      </section>
      <section className={styles.choice} aria-labelledby="choice-app">
        <h2 id="choice-app">Authenticator app</h2>
        <p>Enter a 6-digit code from an app on your phone each time you sign in.</p>
        <Button onClick={onApp}>Use an authenticator app</Button>
      </section>
    </Frame>
  )
}

function RecoveryCodes({ codes, onDone }: { codes: string[]; onDone: () => void }) {
  const [kept, setKept] = useState(false)
  return (
    <Frame title="Keep these recovery codes">
      <p>Each signs you in once if you lose your device. They are not shown again.</p>
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

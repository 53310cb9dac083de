import type { KeyScope } from '@kyc/common'
import { useState } from 'react'
import { api } from '../../api/client.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { CheckField, TextField } from '../../ui/field.tsx'
import { pageStyles } from '../../ui/page.tsx'
import { wordsOf } from '../../ui/states.tsx'
import { useAction } from '../../ui/use-action.ts'

const scopes = [
  ['sessions:read', 'Read sessions and decisions'],
  ['sessions:write', 'Create, decide and purge sessions'],
  ['workflows:read', 'Read workflows'],
  ['checks', 'Standalone checks'],
  ['webhook_deliveries:read', 'Read webhook deliveries'],
  ['webhook_deliveries:write', 'Redeliver webhooks'],
] as const satisfies readonly (readonly [KeyScope, string])[]

type Props = { appId: string; onClose: () => void; onCreated: (key: string) => void }

export function CreateKey({ appId, onClose, onCreated }: Props) {
  const [limited, setLimited] = useState(false)
  const [error, setError] = useState<string>()
  const [create, busy] = useAction(
    async (form: FormData) => {
      setError(undefined)
      const text = (name: string) => String(form.get(name) ?? '').trim()
      const chosen = form.getAll('scope').map(String) as KeyScope[]
      if (limited && chosen.length === 0) return setError('Choose at least one.')
      const { key } = await api.post('/console/api/apps/:app_id/keys', {
        params: { app_id: appId },
        body: {
          name: text('name'),
          scopes: limited ? chosen : null,
          expires_at: text('expires') === '' ? null : `${text('expires')}T00:00:00Z`,
          rate_limit_per_minute: text('limit') === '' ? null : Number(text('limit')),
        },
      })
      onCreated(key)
    },
    (failure) => setError(wordsOf(failure)),
  )
  return (
    <Dialog title="Create a key" open onClose={onClose}>
      <form
        className={pageStyles.form}
        onSubmit={(event) => {
          event.preventDefault()
          create(new FormData(event.currentTarget))
        }}
      >
        <TextField
          label="Name"
          name="name"
          required
          maxLength={120}
          autoFocus
          hint="Where it is used, such as “billing backend”."
        />
        <CheckField
          label="Limit what it may do"
          checked={limited}
          onChange={(event) => setLimited(event.target.checked)}
        />
        {limited && (
          <fieldset>
            <legend className="visually-hidden">What it may do</legend>
            {scopes.map(([scope, label]) => (
              <CheckField key={scope} name="scope" value={scope} label={label} />
            ))}
          </fieldset>
        )}
        <TextField label="Expires on" name="expires" type="date" hint="Empty: never." />
        <TextField
          label="Calls a minute"
          name="limit"
          type="number"
          min={1}
          max={1_000_000}
          hint="Empty: the installation's default."
          error={error}
        />
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" variant="primary" busy={busy}>
            Create
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}

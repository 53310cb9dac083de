import type { ConsoleRole } from '@kyc/common'
import { useState } from 'react'
import { useAccount } from '../../api/account.ts'
import { api } from '../../api/client.ts'
import { wordsOfCode } from '../../lib/words.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { CheckField, SelectField, TextField } from '../../ui/field.tsx'
import { pageStyles } from '../../ui/page.tsx'
import { wordsOf } from '../../ui/states.tsx'
import { useAction } from '../../ui/use-action.ts'
import type { SentLink } from './users-page.tsx'

type Props = { roles: readonly ConsoleRole[]; onClose: () => void; onSent: (sent: SentLink) => void }

export function InviteUser({ roles, onClose, onSent }: Props) {
  const { apps } = useAccount()
  const [all, setAll] = useState(true)
  const [error, setError] = useState<string>()
  const [invite, busy] = useAction(
    async (form: FormData) => {
      setError(undefined)
      onSent(
        await api.post('/console/api/users/invitations', {
          body: {
            email: String(form.get('email')).trim(),
            role: String(form.get('role')) as ConsoleRole,
            app_ids: all ? null : form.getAll('app').map(String),
          },
        }),
      )
    },
    (failure) => setError(wordsOf(failure)),
  )
  return (
    <Dialog title="Invite a person" open onClose={onClose}>
      <form
        className={pageStyles.form}
        onSubmit={(event) => {
          event.preventDefault()
          invite(new FormData(event.currentTarget))
        }}
      >
        <TextField label="E-mail address" name="email" type="email" required autoFocus error={error} />
        <SelectField label="Role" name="role" options={roles.map((role) => [role, wordsOfCode(role)])} />
        <CheckField label="Sees all apps" checked={all} onChange={(event) => setAll(event.target.checked)} />
        {!all && (
          <fieldset>
            <legend className="visually-hidden">Apps</legend>
            {apps.map(({ app_id, name, environment }) => (
              <CheckField key={app_id} name="app" value={app_id} label={`${name} (${environment})`} />
            ))}
          </fieldset>
        )}
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" variant="primary" busy={busy}>
            Send the invitation
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}

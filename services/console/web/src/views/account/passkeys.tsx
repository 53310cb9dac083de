import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { accountQuery, useAccount } from '../../api/account.ts'
import { api } from '../../api/client.ts'
import { type Passkey, passkeysQuery, registerPasskey } from '../../api/passkeys.ts'
import { notify } from '../../app/notices.tsx'
import { reasonAgainstPasskeys } from '../../lib/passkeys.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { TextField } from '../../ui/field.tsx'
import { Card, pageStyles } from '../../ui/page.tsx'
import { Empty, Failed, Loading, wordsOf } from '../../ui/states.tsx'
import { type Column, Table } from '../../ui/table.tsx'
import { ExactTime, Time } from '../../ui/time.tsx'
import { useAction } from '../../ui/use-action.ts'

/** The user's passkeys: add, rename, remove. */
export function Passkeys() {
  const client = useQueryClient()
  const { second_factor } = useAccount()
  const list = useQuery(passkeysQuery)
  /** The passkey being renamed, or `new` for one being added. */
  const [naming, setNaming] = useState<Passkey | 'new' | null>(null)
  const [removing, setRemoving] = useState<Passkey | null>(null)
  const refresh = async () => {
    await client.invalidateQueries({ queryKey: passkeysQuery.queryKey })
    await client.invalidateQueries({ queryKey: accountQuery.queryKey })
    await client.invalidateQueries({ queryKey: ['sign-ins'] })
  }
  const [remove, removingNow] = useAction(async (passkey: Passkey) => {
    await api.delete('/console/api/me/passkeys/:passkey_id', { params: { passkey_id: passkey.id } })
    setRemoving(null)
    notify(`The passkey “${passkey.name}” is removed. Every other session ended.`)
    await refresh()
  })
  const only = !second_factor.authenticator_app && list.data?.length === 1
  const columns: readonly Column<Passkey>[] = [
    { name: 'Name', cell: ({ name }) => name },
    { name: 'Created', cell: ({ created_at }) => <ExactTime at={created_at} /> },
    { name: 'Last used', cell: ({ last_used_at: at }) => (at ? <Time at={at} /> : 'Never') },
    {
      name: 'Backup',
      cell: ({ backed_up }) => (backed_up ? <Badge tone="info">Backed up</Badge> : 'On this device only'),
    },
    {
      name: 'Actions',
      hideName: true,
      cell: (passkey) => (
        <div className={pageStyles.row}>
          <Button aria-label={`Rename ${passkey.name}`} onClick={() => setNaming(passkey)}>
            Rename
          </Button>
          <Button
            aria-label={`Remove ${passkey.name}`}
            reason={only && 'This is your only second factor. Add another one first.'}
            onClick={() => setRemoving(passkey)}
          >
            Remove
          </Button>
        </div>
      ),
    },
  ]
  return (
    <Card
      title="Passkeys"
      actions={
        <Button reason={reasonAgainstPasskeys()} onClick={() => setNaming('new')}>
          Add a passkey
        </Button>
      }
    >
      {list.isPending && <Loading what="your passkeys" />}
      {list.isError && <Failed error={list.error} retry={() => void list.refetch()} />}
      {list.data?.length === 0 && (
        <Empty title="No passkeys yet">
          <p>With a passkey you sign in by the fingerprint, face or PIN of your device.</p>
        </Empty>
      )}
      {list.data && list.data.length > 0 && (
        <Table caption="Passkeys" columns={columns} rows={list.data} rowKey={({ id }) => id} />
      )}
      {naming !== null && (
        <NameDialog
          passkey={naming === 'new' ? null : naming}
          onClose={() => setNaming(null)}
          onDone={(message) => {
            setNaming(null)
            notify(message)
            void refresh()
          }}
        />
      )}
      <ConfirmDialog
        title="Remove this passkey"
        action="Remove"
        open={removing !== null}
        busy={removingNow}
        onConfirm={() => removing && remove(removing)}
        onClose={() => setRemoving(null)}
      >
        <p>
          “{removing?.name}” no longer signs you in, and every other session ends. Delete it on the device
          too.
        </p>
      </ConfirmDialog>
    </Card>
  )
}

type NameProps = {
  /** Null when adding a passkey. */
  passkey: Passkey | null
  onClose: () => void
  onDone: (message: string) => void
}

function NameDialog({ passkey, onClose, onDone }: NameProps) {
  const [error, setError] = useState<string>()
  const [save, busy] = useAction(
    async (form: FormData) => {
      setError(undefined)
      const name = String(form.get('name')).trim()
      if (passkey) {
        const params = { passkey_id: passkey.id }
        await api.patch('/console/api/me/passkeys/:passkey_id', { params, body: { name } })
        onDone(`The passkey is named “${name}”.`)
      } else {
        await registerPasskey(name)
        onDone(`The passkey “${name}” is added. Every other session ended.`)
      }
    },
    (failure) => setError(wordsOf(failure)),
  )
  return (
    <Dialog title={passkey ? 'Rename this passkey' : 'Add a passkey'} open onClose={onClose}>
      <form
        className={pageStyles.form}
        onSubmit={(event) => {
          event.preventDefault()
          save(new FormData(event.currentTarget))
        }}
      >
        <TextField
          label="Name of the passkey"
          name="name"
          defaultValue={passkey?.name}
          maxLength={64}
          required
          autoFocus
          hint="For example the device it is on."
          error={error}
        />
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" variant="primary" busy={busy}>
            {passkey ? 'Rename' : 'Continue'}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}

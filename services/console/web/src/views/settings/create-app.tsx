import { useState } from 'react'
import { api } from '../../api/client.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { SelectField, TextField } from '../../ui/field.tsx'
import { pageStyles } from '../../ui/page.tsx'
import { wordsOf } from '../../ui/states.tsx'
import { useAction } from '../../ui/use-action.ts'

type Props = { onClose: () => void; onCreated: (secrets: readonly (readonly [string, string])[]) => void }

export function CreateApp({ onClose, onCreated }: Props) {
  const [error, setError] = useState<string>()
  const [create, busy] = useAction(
    async (form: FormData) => {
      setError(undefined)
      const text = (name: string) => String(form.get(name) ?? '').trim()
      const made = await api.post('/console/api/apps', {
        body: {
          name: text('name'),
          environment: text('environment') === 'live' ? 'live' : 'test',
          webhook_url: text('webhook_url') || null,
        },
      })
      onCreated([
        ['API key', made.api_key],
        ['Webhook secret', made.webhook_secret],
      ])
    },
    (failure) => setError(wordsOf(failure)),
  )
  return (
    <Dialog title="Create an app" open onClose={onClose}>
      <form
        className={pageStyles.form}
        onSubmit={(event) => {
          event.preventDefault()
          create(new FormData(event.currentTarget))
        }}
      >
        <TextField label="Name" name="name" required maxLength={120} autoFocus />
        <SelectField
          label="Environment"
          name="environment"
          options={[
            ['test', 'Test'],
            ['live', 'Live'],
          ]}
          hint="It stays what it is; data never crosses."
        />
        <TextField label="Webhook URL" name="webhook_url" type="url" maxLength={2048} error={error} />
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

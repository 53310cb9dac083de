import type { Answer } from '@kyc/web-kit'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api, type Console } from '../../api/client.ts'
import { workflowsQuery } from '../../api/workflows.ts'
import { useAppId } from '../../app/app-choice.ts'
import { Button } from '../../ui/button.tsx'
import { CopyValue } from '../../ui/copy-value.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { SelectField, TextField } from '../../ui/field.tsx'
import { pageStyles } from '../../ui/page.tsx'
import { wordsOf } from '../../ui/states.tsx'
import { ExactTime } from '../../ui/time.tsx'
import { useAction } from '../../ui/use-action.ts'
import styles from './create-session.module.css'

type Created = Answer<Console, 'post', '/console/api/apps/:app_id/sessions'>

/** Creates a session manually; its link and QR code are shown once. */
export function CreateSession({ onClose }: { onClose: () => void }) {
  const appId = useAppId()
  const client = useQueryClient()
  const workflows = useQuery(workflowsQuery(appId))
  const [created, setCreated] = useState<Created>()
  const [error, setError] = useState<string>()
  const [create, busy] = useAction(
    async (form: FormData) => {
      setError(undefined)
      const text = (name: string) => String(form.get(name) ?? '').trim()
      setCreated(
        await api.post('/console/api/apps/:app_id/sessions', {
          params: { app_id: appId },
          body: {
            expires_in_hours: Number(text('hours')),
            ...(text('workflow') === '' ? {} : { workflow_id: text('workflow') }),
            ...(text('vendor_data') === '' ? {} : { vendor_data: text('vendor_data') }),
            ...(text('email') === '' ? {} : { contact: { email: text('email') } }),
          },
        }),
      )
      await client.invalidateQueries({ queryKey: ['app', appId, 'sessions'] })
    },
    (failure) => setError(wordsOf(failure)),
  )
  if (created) {
    return (
      <Dialog title="Session created" open onClose={onClose} dismissable={false}>
        <img
          className={styles.qr}
          alt="QR code of the link below"
          src={`data:image/svg+xml,${encodeURIComponent(created.qr_svg)}`}
        />
        <CopyValue label="Link for the person" value={created.url} />
        <p className="muted">
          Whoever has this link can go through the session until <ExactTime at={created.expires_at} />. It is
          not shown again.
        </p>
        <DialogActions>
          <Button variant="primary" onClick={onClose}>
            Done
          </Button>
        </DialogActions>
      </Dialog>
    )
  }
  const live = (workflows.data ?? []).filter(({ archived_at }) => archived_at === null)
  return (
    <Dialog title="Create a session" open onClose={onClose}>
      <form
        className={pageStyles.form}
        onSubmit={(event) => {
          event.preventDefault()
          create(new FormData(event.currentTarget))
        }}
      >
        <SelectField
          label="Workflow"
          name="workflow"
          options={[['', 'The default one'], ...live.map(({ id, name }) => [id, name] as const)]}
        />
        <TextField
          label="Your reference"
          name="vendor_data"
          maxLength={256}
          hint="Echoed in every webhook. No names: it outlives a purge."
        />
        <TextField
          label="E-mail address of the person"
          name="email"
          type="email"
          hint="Fills in the e-mail step, if the workflow has one."
        />
        <TextField
          label="Valid for (hours)"
          name="hours"
          type="number"
          min={1}
          max={720}
          defaultValue={168}
          required
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

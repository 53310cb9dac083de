import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { accountQuery, useReasonAgainst } from '../../api/account.ts'
import { api } from '../../api/client.ts'
import { useAppId } from '../../app/app-choice.ts'
import { notify } from '../../app/notices.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { CheckField, TextField } from '../../ui/field.tsx'
import { Card, Page, pageStyles } from '../../ui/page.tsx'
import { SecretDialog } from '../../ui/secret-dialog.tsx'
import { Failed, Loading, wordsOf } from '../../ui/states.tsx'
import { ExactTime } from '../../ui/time.tsx'
import { useAction } from '../../ui/use-action.ts'
import { CreateApp } from './create-app.tsx'
import { LogoTooLarge, logoOf } from './logo.ts'

const hostsOf = (text: string): string[] | null => text.toLowerCase().match(/[^\s,]+/g) ?? null

/** Name, appearance and retention of an app. */
export function SettingsPage() {
  const appId = useAppId()
  const client = useQueryClient()
  const against = useReasonAgainst()
  const params = { app_id: appId }
  const queryKey = ['app', appId, 'settings']
  const query = useQuery({ queryKey, queryFn: () => api.get('/console/api/apps/:app_id', { params }) })
  const [error, setError] = useState<string>()
  const [creating, setCreating] = useState(false)
  const [secrets, setSecrets] = useState<readonly (readonly [string, string])[] | null>(null)
  const [save, saving] = useAction(
    async (form: FormData) => {
      setError(undefined)
      const text = (name: string) => String(form.get(name) ?? '').trim()
      const answer = await api.patch('/console/api/apps/:app_id', {
        params,
        body: {
          name: text('name'),
          ...(await logoOf(form)),
          accent: text('accent').toLowerCase() || null,
          callback_hosts: hostsOf(text('callback_hosts')),
        },
      })
      client.setQueryData(queryKey, answer)
      notify('Saved.')
      await client.invalidateQueries({ queryKey: accountQuery.queryKey })
    },
    (failure) => setError(failure instanceof LogoTooLarge ? failure.message : wordsOf(failure)),
  )
  const [retain, retaining] = useAction(async (days: number) => {
    client.setQueryData(
      queryKey,
      await api.put('/console/api/apps/:app_id/retention', { params, body: { retention_days: days } }),
    )
    notify(`Personal data is purged ${days} days after completion.`)
  })
  const app = query.data
  return (
    <Page
      title="Settings"
      actions={
        <Button reason={against('app.create')} onClick={() => setCreating(true)}>
          Create app
        </Button>
      }
    >
      {query.isPending && <Loading what="the settings" />}
      {query.isError && <Failed error={query.error} retry={() => void query.refetch()} />}
      {app && (
        <>
          <Card title="App">
            <p>
              <span className="id">{app.app_id}</span>{' '}
              {app.environment === 'live' ? <Badge tone="ok">Live</Badge> : <Badge tone="warn">Test</Badge>}{' '}
              <span className="muted">
                made on <ExactTime at={app.created_at} />. Test and live are apps of their own, with data of
                their own.
              </span>
            </p>
            <form
              key={app.revision}
              className={pageStyles.form}
              onSubmit={(event) => {
                event.preventDefault()
                save(new FormData(event.currentTarget))
              }}
            >
              <TextField
                label="Name"
                name="name"
                required
                maxLength={120}
                defaultValue={app.name}
                hint="People see it in the hosted flow."
              />
              <TextField
                label="Logo"
                name="logo"
                type="file"
                accept="image/png,image/jpeg,image/webp,image/svg+xml"
                hint="At most 30 KB. Kept here, so that no other host learns who opens the hosted flow."
              />
              {app.logo_url && (
                <div className={pageStyles.row}>
                  <img src={app.logo_url} alt="The logo as it is" height={32} />
                  <CheckField label="Remove the logo" name="no_logo" />
                </div>
              )}
              <TextField
                label="Accent colour"
                name="accent"
                defaultValue={app.accent ?? ''}
                placeholder="#1a73e8"
                pattern="#[0-9a-fA-F]{6}"
                hint="Used in the hosted flow where its contrast suffices."
                error={error}
              />
              <TextField
                label="Hosts for callback_url"
                name="callback_hosts"
                defaultValue={app.callback_hosts?.join(' ') ?? ''}
                placeholder="shop.example.com"
                hint="Where people may be sent back to, separated by spaces. Empty: any host."
              />
              <div className={pageStyles.row}>
                <Button type="submit" variant="primary" busy={saving} reason={against('settings.write')}>
                  Save
                </Button>
              </div>
            </form>
          </Card>
          <Card title="Retention">
            <form
              className={pageStyles.form}
              onSubmit={(event) => {
                event.preventDefault()
                retain(Number(new FormData(event.currentTarget).get('days')))
              }}
            >
              <TextField
                key={app.retention_days}
                label="Days after completion"
                name="days"
                type="number"
                min={1}
                max={3650}
                required
                defaultValue={app.retention_days}
                hint="Then pictures, identity and embeddings are destroyed. Sessions in review wait for their decision."
              />
              <div className={pageStyles.row}>
                <Button type="submit" variant="primary" busy={retaining} reason={against('retention.write')}>
                  Save retention
                </Button>
              </div>
            </form>
          </Card>
        </>
      )}
      {creating && (
        <CreateApp
          onClose={() => setCreating(false)}
          onCreated={(values) => {
            setCreating(false)
            setSecrets(values)
            void client.invalidateQueries({ queryKey: accountQuery.queryKey })
          }}
        />
      )}
      {secrets && <SecretDialog title="App created" values={secrets} onClose={() => setSecrets(null)} />}
    </Page>
  )
}
